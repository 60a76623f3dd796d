/**
 * Names that look too much like another's, as Cyrillic "а" is for "a": nobody may begin to publish
 * under one. What looks like one's own name is one's own business.
 *
 * @module
 */
import type { Queryable, Sql } from "../database/client.ts";
import { folded, looksOf } from "../text/skeleton.ts";
import { serverLooksAlike } from "./failures.ts";

const BATCH = 1000;

/** The author name that `author` looks like and that is not `owner`'s; null when there is none. */
export async function lookAlikeOf(
  sql: Queryable,
  author: string,
  owner: string,
): Promise<string | null> {
  const [found] = await sql<{ author: string }[]>`
    select n.author from author_looks l join author_namespaces n using (author_key)
    where l.look = any(${looksOf(author)}) and author_key <> ${folded(author)}
      and not exists (
        select 1 from namespace_owners o where o.author_key = n.author_key and o.owner = ${owner})
    order by n.created_at limit 1`;
  return found?.author ?? null;
}

/** Lets nobody else claim a name that looks like one of `looks` until the transaction ends. */
async function holdLooks(tx: Queryable, looks: string[]): Promise<void> {
  for (const look of looks) await tx`select pg_advisory_xact_lock(hashtextextended(${look}, 17))`;
}

/** As {@link lookAlikeOf}, and it stays so until the transaction ends. */
export async function heldLookAlikeOf(
  tx: Queryable,
  author: string,
  owner: string,
): Promise<string | null> {
  await holdLooks(tx, looksOf(author));
  return await lookAlikeOf(tx, author, owner);
}

/** Stores how `author`, whose row is there, looks. */
export async function storeLooks(tx: Queryable, author: string): Promise<void> {
  const rows = looksOf(author).map((look) => ({ look, author_key: folded(author) }));
  await tx`insert into author_looks ${tx(rows)} on conflict do nothing`;
}

/** Stores how names look that were claimed before looks were kept. */
export async function fillLooks(sql: Sql): Promise<void> {
  for (;;) {
    const missing = await sql<{ author: string }[]>`
      select author from author_namespaces n where author_key = any(
        select author_key from author_namespaces except select author_key from author_looks
        limit ${BATCH})`;
    for (const { author } of missing) await storeLooks(sql, author);
    if (missing.length < BATCH) return;
  }
}

/**
 * Checks that the server name `name` looks like no other owner's, those reserved for last owners
 * included; it stays so until the transaction ends.
 *
 * @throws {AppError} `conflict`.
 */
export async function checkServerLook(
  tx: Queryable,
  name: string,
  owner: string,
  now: Date,
): Promise<void> {
  await holdLooks(tx, [`server ${looksOf(name)[0]}`]);
  const [found] = await tx<{ name: string | null }[]>`
    select case when visibility = 'public' then name end as name from (
      select name, owner, visibility from servers where server_look(name) = server_look(${name})
      union all
      select name, owner, 'public' from reserved_names
      where server_look(name) = server_look(${name}) and until > ${now}) other
    where name <> ${name} and owner <> ${owner} limit 1`;
  if (found !== undefined) throw serverLooksAlike(name, found.name);
}
