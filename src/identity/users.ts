/**
 * The users table: which username a subject has. A username reserves the author of the same name.
 *
 * @module
 */
import type postgres from "postgres";
import type { Sql } from "../database/client.ts";
import { isUniqueViolation } from "../database/errors.ts";
import { AppError } from "../errors.ts";
import { numbered, preferredUsername } from "./username.ts";

/** A user, known since the first authenticated request. */
export interface User {
  subject: string;
  username: string;
}

/** How often a name that others take meanwhile is tried again. */
const ATTEMPTS = 20;

async function findUser(sql: Sql, subject: string): Promise<User | null> {
  const [user] = await sql<User[]>`
    select subject, username from users where subject = ${subject}`;
  return user ?? null;
}

/** Reserves the author `name` for `owner`; false when another user has it. */
async function reserveAuthor(
  sql: postgres.TransactionSql,
  name: string,
  owner: string,
): Promise<boolean> {
  await sql`
    insert into author_namespaces (author_key, owner, created_at)
    values (${name}, ${owner}, now()) on conflict (author_key) do nothing`;
  const [row] = await sql<{ owner: string }[]>`
    select owner from author_namespaces where author_key = ${name}`;
  return row?.owner === owner;
}

async function firstFree(sql: Sql, subject: string, preferred: string): Promise<string> {
  // Long names lose their end to the suffix, so the search is for what all candidates begin with.
  const prefix = `${preferred.slice(0, 30)}%`;
  const rows = await sql<{ name: string }[]>`
    select username as name from users where username like ${prefix}
    union select author_key from author_namespaces
      where author_key like ${prefix} and owner <> ${subject}`;
  const taken = new Set(rows.map((row) => row.name));
  let number = 1;
  while (taken.has(numbered(preferred, number))) number++;
  return numbered(preferred, number);
}

/** Makes the user, unless the subject or the name came into use meanwhile. */
async function insertUser(sql: Sql, user: User): Promise<boolean> {
  return await sql.begin(async (transaction) => {
    const inserted = await transaction`
      insert into users (subject, username) values (${user.subject}, ${user.username})
      on conflict do nothing returning 1`;
    if (inserted.length === 0) return false;
    if (await reserveAuthor(transaction, user.username, user.subject)) return true;
    await transaction`delete from users where subject = ${user.subject}`;
    return false;
  });
}

/**
 * The user of `subject`, made at the first call with a username after `email`. Any number of first
 * calls at once, on any number of nodes, make one user, and no two users of one name.
 */
export async function userOf(
  sql: Sql,
  subject: string,
  email: string | null,
): Promise<User> {
  const known = await findUser(sql, subject);
  if (known !== null) return known;
  const preferred = await preferredUsername(subject, email);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const user = { subject, username: await firstFree(sql, subject, preferred) };
    if (await insertUser(sql, user)) return user;
    const meanwhile = await findUser(sql, subject);
    if (meanwhile !== null) return meanwhile;
  }
  throw new AppError("unavailable", "Cannot find a free username just now, try again", {
    headers: { "Retry-After": "1" },
  });
}

function taken(username: string): AppError {
  return new AppError("conflict", `The username "${username}" is taken`, {
    errors: [{ path: "username", message: "is taken" }],
  });
}

/**
 * Gives `subject` another username, once. Asking for the present one changes nothing.
 *
 * @throws {AppError} `conflict` when the name is taken, as a username or as an author, or when it
 * was changed before.
 */
export async function renameUser(
  sql: Sql,
  subject: string,
  username: string,
): Promise<void> {
  try {
    await sql.begin(async (transaction) => {
      const [user] = await transaction<{ username: string; changed: boolean }[]>`
        select username, username_changed_at is not null as changed
        from users where subject = ${subject} for update`;
      if (user === undefined) throw new AppError("not_found", "Cannot find the user");
      if (user.username === username) return;
      if (user.changed) {
        throw new AppError("conflict", "The username was changed before: it can be changed once");
      }
      await transaction`
        update users set username = ${username}, username_changed_at = now()
        where subject = ${subject}`;
      if (!await reserveAuthor(transaction, username, subject)) throw taken(username);
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw taken(username);
    throw error;
  }
}
