/**
 * Author names: how they are compared, and who owns them.
 *
 * @module
 */
import type { Queryable } from "../database/client.ts";
import { forbidden } from "../identity/failures.ts";
import type { RegistryPolicy } from "./deps.ts";

// Its upper case is that of "i", but case folding leaves it alone.
const DOTLESS_I = "\u0131";

function foldCharacter(character: string): string {
  return character === DOTLESS_I ? character : character.toLowerCase().toUpperCase().toLowerCase();
}

/**
 * What authors are compared by: NFKC and case folding. JavaScript has no case folding; lower,
 * upper and lower again of each character comes to the same.
 */
export function authorKey(author: string): string {
  return Array.from(author.normalize("NFKC"), foldCharacter).join("").normalize("NFKC");
}

/** The owner of an author name; null when nobody has it. */
async function ownerOfAuthor(sql: Queryable, author: string): Promise<string | null> {
  const [row] = await sql<{ owner: string }[]>`
    select owner from author_namespaces where author_key = ${authorKey(author)}`;
  return row?.owner ?? null;
}

/** Makes `owner` the owner of `author` unless another user is; returns whether `owner` has it now. */
export async function claimAuthor(
  sql: Queryable,
  author: string,
  owner: string,
  now: Date,
): Promise<boolean> {
  await sql`
    insert into author_namespaces (author_key, owner, created_at)
    values (${authorKey(author)}, ${owner}, ${now}) on conflict (author_key) do nothing`;
  return await ownerOfAuthor(sql, author) === owner;
}

function taken(author: string) {
  return forbidden("namespace owner", `The author "${author}" belongs to another user`);
}

/**
 * Checks, without claiming, that `owner` may publish under `author`.
 *
 * @throws {AppError} `forbidden` when another user owns it.
 */
export async function checkAuthor(
  sql: Queryable,
  policy: RegistryPolicy,
  author: string,
  owner: string,
): Promise<void> {
  if (policy.authorPolicy === "free") return;
  const present = await ownerOfAuthor(sql, author);
  if (present !== null && present !== owner) throw taken(author);
}

/**
 * Claims `author` for `owner` in the transaction that stores the record.
 *
 * @throws {AppError} `forbidden` when another user owns it.
 */
export async function takeAuthor(
  sql: Queryable,
  policy: RegistryPolicy,
  author: string,
  owner: string,
  now: Date,
): Promise<void> {
  if (policy.authorPolicy === "free") return;
  if (!await claimAuthor(sql, author, owner, now)) throw taken(author);
}
