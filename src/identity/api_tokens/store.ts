/**
 * The tables of API tokens and of revoked tokens.
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
/** How long a revoked token is kept beyond its expiry: nodes' clocks differ. */
const CLOCKS_DIFFER_MS = 300_000;

/** Channel on which nodes tell each other of revoked tokens. */
export const REVOKED_CHANNEL = "berth_token_revoked";

/** How many tokens of `owner` are neither expired nor revoked. */
export async function countLive(sql: Queryable, owner: string, now: Date): Promise<number> {
  const [row] = await sql<[{ live: number }]>`
    select count(*)::int as live from api_tokens
    where owner = ${owner} and expires_at > ${now} and revoked_at is null`;
  return row.live;
}

/** Stores a token. */
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

/** Denies a token until it expires; every node hears of it when the transaction commits. */
export async function denyToken(sql: Queryable, digest: string, expiresAt: Date): Promise<void> {
  await sql`
    insert into revoked_tokens (digest, expires_at) values (${digest}, ${expiresAt})
    on conflict (digest) do nothing`;
  await sql`select pg_notify(${REVOKED_CHANNEL}, ${`${digest} ${expiresAt.getTime()}`})`;
}

/** A revoked token. */
export interface Denied {
  digest: string;
  expires_at: Date;
}

/** The revoked tokens, with the database's time before they were read. */
export async function readDenied(
  sql: Queryable,
  options: { since?: Date } = {},
): Promise<{ denied: Denied[]; asOf: Date }> {
  const [clock] = await sql<[{ now: Date }]>`select clock_timestamp() as now`;
  const denied = await sql<Denied[]>`
    select digest, expires_at from revoked_tokens
    ${options.since === undefined ? sql`` : sql`where added_at > ${options.since}`}`;
  return { denied, asOf: clock.now };
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

/** Forgets tokens that ended long ago. */
export async function removeEnded(sql: Queryable, now: Date): Promise<void> {
  const at = now.getTime();
  await sql`delete from api_tokens where expires_at < ${new Date(at - KEPT_AFTER_END_MS)}`;
  await sql`delete from revoked_tokens where expires_at < ${new Date(at - CLOCKS_DIFFER_MS)}`;
}
