/**
 * The users table: which username a subject has. A username reserves the author of the same name.
 *
 * @module
 */
import type { Queryable, Sql } from "../database/client.ts";
import { noFreeUsername } from "./failures.ts";
import { lookAlikeOf } from "./look_alikes.ts";
import { claimUsername } from "./namespaces.ts";
import { numbered, preferredUsername } from "./username.ts";

/** A user, known since the first authenticated request. */
export interface User {
  subject: string;
  username: string;
  /** Made an administrator here, beside those that configuration names. */
  isAdmin: boolean;
}

export type FindUser = (subject: string) => Promise<User | null>;

/** How many names are tried when others keep taking them first. */
const ATTEMPTS = 20;

/** The user of `subject`; null before the first authenticated request. */
async function findUser(sql: Sql, subject: string): Promise<User | null> {
  const [user] = await sql<User[]>`
    select subject, username, is_admin as "isAdmin" from users where subject = ${subject}`;
  return user ?? null;
}

/** The user who is called `username` now; null when nobody is. */
export async function findByUsername(sql: Queryable, username: string): Promise<User | null> {
  const [user] = await sql<User[]>`
    select subject, username from users where username = ${username}`;
  return user ?? null;
}

async function firstFree(sql: Sql, subject: string, preferred: string): Promise<string> {
  // Long names lose their end to the suffix, so the search is for what all candidates begin with.
  const prefix = `${preferred.slice(0, 30)}%`;
  const rows = await sql<{ name: string }[]>`
    select username as name from users where username like ${prefix}
    union select author_key from namespace_owners
      where author_key like ${prefix} and owner <> ${subject}
    union select author_key from author_namespaces n where author_key like ${prefix}
      and not exists (select from namespace_owners o where o.author_key = n.author_key)`;
  const taken = new Set(rows.map((row) => row.name));
  let number = 1;
  for (;;) {
    const name = numbered(preferred, number++);
    if (!taken.has(name) && await lookAlikeOf(sql, name, subject) === null) return name;
  }
}

/** Makes the user, unless the subject or the name is already in use. */
async function insertUser(sql: Sql, user: User, now: Date): Promise<boolean> {
  return await sql.begin(async (tx) => {
    const inserted = await tx`
      insert into users (subject, username, created_at)
      values (${user.subject}, ${user.username}, ${now})
      on conflict do nothing returning 1`;
    if (inserted.length === 0) return false;
    if (await claimUsername(tx, user.username, user.subject, now)) return true;
    await tx`delete from users where subject = ${user.subject}`;
    return false;
  });
}

/**
 * The user of `subject`, made at the first call with a username after `email`. Any number of first
 * calls at once, on any number of nodes, make one user, and no two users of one name.
 *
 * @param find Finds a user; for those who ask the database for something else at the same time.
 */
export async function userOf(
  { sql, now }: { sql: Sql; now: () => Date },
  subject: string,
  email: string | null,
  find: FindUser = (subject) => findUser(sql, subject),
): Promise<User> {
  const known = await find(subject);
  if (known !== null) return known;
  const preferred = await preferredUsername(subject, email);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const user = { subject, username: await firstFree(sql, subject, preferred), isAdmin: false };
    if (await insertUser(sql, user, now())) return user;
    const made = await findUser(sql, subject);
    if (made !== null) return made;
  }
  throw noFreeUsername();
}

/** Usernames by user ids; who has not been here is left out. */
export async function usernamesOf(
  sql: Queryable,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (userIds.length === 0) return new Map();
  const rows = await sql<{ subject: string; username: string }[]>`
    select subject, username from users where subject in ${sql([...userIds])}`;
  return new Map(rows.map(({ subject, username }) => [subject, username]));
}
