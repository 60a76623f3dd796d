/**
 * Author names: how they are compared, and who owns them. Those who do may publish under them.
 *
 * @module
 */
import type { Queryable } from "../database/client.ts";
import { folded } from "../text/skeleton.ts";
import { authorLooksAlike, authorTaken } from "./failures.ts";
import { heldLookAlikeOf, lookAlikeOf, storeLooks } from "./look_alikes.ts";

/** What authors are compared by: NFKC and case folding. */
export function authorKey(author: string): string {
  return folded(author);
}

/** The users who own an author name, the first of them first; none when nobody has it. */
export async function ownersOfAuthor(sql: Queryable, author: string): Promise<string[]> {
  const rows = await sql<{ owner: string }[]>`
    select owner from namespace_owners where author_key = ${authorKey(author)}
    order by created_at, owner`;
  return rows.map((row) => row.owner);
}

/**
 * Keeps the owners of `author` from changing until the transaction ends: `shared` against those who
 * change them, else against everybody who claims or uses it too. Records are locked after names.
 *
 * @returns Whether somebody has the name.
 */
export async function lockAuthor(
  tx: Queryable,
  author: string,
  options: { shared?: boolean } = {},
): Promise<boolean> {
  const rows = await tx`
    select 1 from author_namespaces where author_key = ${authorKey(author)}
    ${options.shared ? tx`for share` : tx`for update`}`;
  return rows.length > 0;
}

/**
 * Takes `owner` out of every author name. A name that nobody else owns stays taken for good: whoever
 * published under it later would be taken for its former owner.
 *
 * @returns The names with others, as they were first written, with who owned them till now.
 */
export async function leaveAuthors(
  tx: Queryable,
  owner: string,
): Promise<{ author: string; owners: string[] }[]> {
  const names = await tx<{ author: string }[]>`
    select author from author_namespaces join namespace_owners using (author_key)
    where owner = ${owner} order by author_key for update of author_namespaces`;
  const shared: { author: string; owners: string[] }[] = [];
  for (const { author } of names) {
    const owners = await ownersOfAuthor(tx, author);
    if (owners.length > 1) shared.push({ author, owners });
  }
  await tx`delete from namespace_owners where owner = ${owner}`;
  await tx`delete from namespace_invitations where invitee = ${owner} or inviter = ${owner}`;
  return shared;
}

/** Whether anybody ever had the name. */
async function isKnown(sql: Queryable, author: string): Promise<boolean> {
  const rows = await sql`select 1 from author_namespaces where author_key = ${authorKey(author)}`;
  return rows.length > 0;
}

/** Makes `owner` the first owner of `author`, unless somebody has it, or one that looks like it. */
async function claimFree(
  tx: Queryable,
  author: string,
  owner: string,
  now: Date,
): Promise<void> {
  if (await isKnown(tx, author) || await heldLookAlikeOf(tx, author, owner) !== null) return;
  await tx`
    with claimed as (
      insert into author_namespaces (author_key, author, created_at)
      values (${authorKey(author)}, ${author}, ${now})
      on conflict (author_key) do nothing returning author_key)
    insert into namespace_owners (author_key, owner, created_at)
    select author_key, ${owner}, ${now} from claimed`;
  await storeLooks(tx, author);
}

/**
 * Makes `owner` the first owner of `author` unless other users are; returns whether `owner` is an
 * owner now. Called in a transaction, which keeps the owners as they are until it ends.
 */
export async function claimAuthor(
  tx: Queryable,
  author: string,
  owner: string,
  now: Date,
): Promise<boolean> {
  await claimFree(tx, author, owner, now);
  await lockAuthor(tx, author, { shared: true });
  return (await ownersOfAuthor(tx, author)).includes(owner);
}

/**
 * Reserves the author of a username: `subject` must be its only owner, and stays so, as what is
 * called like a user is that user's alone. Returns whether that holds. Called in the transaction
 * that gives the username.
 */
export async function claimUsername(
  tx: Queryable,
  username: string,
  subject: string,
  now: Date,
): Promise<boolean> {
  await claimFree(tx, username, subject, now);
  await lockAuthor(tx, username);
  const owners = await ownersOfAuthor(tx, username);
  if (owners.length !== 1 || owners[0] !== subject) return false;
  await tx`delete from namespace_invitations where author_key = ${authorKey(username)}`;
  return true;
}

/** Whether `author` is the username of a user, so that it can have no other owner. */
export async function isUsername(sql: Queryable, author: string): Promise<boolean> {
  const rows = await sql`select 1 from users where username = ${authorKey(author)}`;
  return rows.length > 0;
}

/** @throws {AppError} `forbidden` when `author` looks too much like a name of others. */
async function checkLook(sql: Queryable, author: string, owner: string): Promise<void> {
  const other = await lookAlikeOf(sql, author, owner);
  if (other !== null) throw authorLooksAlike(author, other);
}

/** What decides whether author names are owned (`AUTHOR_POLICY`). */
export interface AuthorPolicy {
  authorPolicy: "claimed" | "free";
}

/**
 * Checks, without claiming, that `owner` may publish under `author`.
 *
 * @throws {AppError} `forbidden` when other users own it, or a name that looks like it.
 */
export async function checkAuthor(
  sql: Queryable,
  policy: AuthorPolicy,
  author: string,
  owner: string,
): Promise<void> {
  if (policy.authorPolicy === "free") return;
  const owners = await ownersOfAuthor(sql, author);
  if (owners.includes(owner)) return;
  if (owners.length > 0) throw authorTaken(author);
  await checkLook(sql, author, owner);
}

/**
 * Claims `author` for `owner` in the transaction that stores the record.
 *
 * @throws {AppError} `forbidden` when other users own it, or a name that looks like it.
 */
export async function takeAuthor(
  tx: Queryable,
  policy: AuthorPolicy,
  author: string,
  owner: string,
  now: Date,
): Promise<void> {
  if (policy.authorPolicy === "free") return;
  if (await claimAuthor(tx, author, owner, now)) return;
  await checkLook(tx, author, owner);
  throw authorTaken(author);
}
