/**
 * The table of API tokens.
 *
 * @module
 */
import type { Queryable, Sql } from "../../database/client.ts";

/** A stored API token. */
export interface TokenRow {
  id: string;
  digest: string;
  owner: string;
  name: string;
  created_at: Date;
  expires_at: Date;
  last_used_at: Date | null;
  revoked_at: Date | null;
}

/** Tokens that are listed after their end, and for how long. */
const KEPT_AFTER_END_MS = 24 * 3600 * 1000;
const LISTED_MAX = 100;
/** How many tokens of `owner` are neither expired nor revoked. */
export async function countLive(sql: Queryable, owner: string, now: Date): Promise<number> {
  const [row] = await sql<[{ live: number }]>`
    select count(*)::int as live from api_tokens
    where owner = ${owner} and expires_at > ${now} and revoked_at is null`;
  return row.live;
}

export async function insertToken(
  sql: Queryable,
  token: Omit<TokenRow, "last_used_at" | "revoked_at">,
): Promise<void> {
  await sql`insert into api_tokens ${sql(token)}`;
}

/** The tokens of `owner`: live ones, and those that ended within a day; newest first. */
export async function listRows(sql: Queryable, owner: string, now: Date): Promise<TokenRow[]> {
  const since = new Date(now.getTime() - KEPT_AFTER_END_MS);
  return await sql<TokenRow[]>`
    select * from (
      select * from api_tokens where owner = ${owner} and expires_at > ${since}
      order by expires_at > ${now} and revoked_at is null desc, created_at desc, id
      limit ${LISTED_MAX}) as listed
    order by created_at desc, id`;
}

/** The token of this id, kept from others' changes; null when there is none. */
export async function lockToken(sql: Queryable, id: string): Promise<TokenRow | null> {
  const [row] = await sql<TokenRow[]>`select * from api_tokens where id = ${id} for update`;
  return row ?? null;
}

/** The token of this digest, kept from others' changes; null when it is none of the listed ones. */
export async function lockDigest(sql: Queryable, digest: string): Promise<TokenRow | null> {
  const [row] = await sql<TokenRow[]>`
    select * from api_tokens where digest = ${digest} for update`;
  return row ?? null;
}

/** Marks a token as revoked, for the list. */
export async function markRevoked(sql: Queryable, id: string, now: Date): Promise<void> {
  await sql`update api_tokens set revoked_at = ${now} where id = ${id}`;
}

/** Writes when tokens were used, where that is later by a minute than what is known. */
export async function saveUses(sql: Sql, uses: ReadonlyMap<string, Date>): Promise<void> {
  const times = [...uses.values()].map((at) => at.toISOString());
  await sql`
    update api_tokens set last_used_at = used.at
    from unnest(${[...uses.keys()]}::text[], ${times}::text[]::timestamptz[]) as used (digest, at)
    where api_tokens.digest = used.digest
      and (last_used_at is null or last_used_at <= used.at - interval '1 minute')`;
}

/** Marks the live tokens of `owner` as revoked, for the list; returns what they were. */
export async function markAllRevoked(
  sql: Queryable,
  owner: string,
  now: Date,
): Promise<{ digest: string; expires_at: Date }[]> {
  return await sql<{ digest: string; expires_at: Date }[]>`
    update api_tokens set revoked_at = ${now}
    where owner = ${owner} and expires_at > ${now} and revoked_at is null
    returning digest, expires_at`;
}

/** Forgets tokens that ended long ago. */
export async function removeEnded(sql: Queryable, now: Date): Promise<void> {
  await sql`
    delete from api_tokens where expires_at < ${new Date(now.getTime() - KEPT_AFTER_END_MS)}`;
}
