/**
 * The tables of what is refused before its expiry: single tokens, and all of a user's up to a time.
 *
 * @module
 */
import type { Queryable } from "../../database/client.ts";
import { TOKEN_LIFETIME_SECONDS } from "../claims.ts";

/** How long entries are kept beyond the end of what they refuse: nodes' clocks differ. */
const CLOCKS_DIFFER_MS = 300_000;

/** Channel on which nodes tell each other of what is refused from now on. */
export const REVOKED_CHANNEL = "berth_token_revoked";

/** Refuses one token by its digest, or all that a user was issued before a time. */
export type Denial =
  | { kind: "token"; digest: string; expiresAt: Date }
  | { kind: "user"; subject: string; issuedBefore: Date };

async function tellNodes(sql: Queryable, denial: Denial): Promise<void> {
  await sql`select pg_notify(${REVOKED_CHANNEL}, ${JSON.stringify(denial)})`;
}

/** Refuses a token until it expires; every node hears of it when the transaction commits. */
export async function denyToken(sql: Queryable, digest: string, expiresAt: Date): Promise<void> {
  await sql`
    insert into revoked_tokens (digest, expires_at) values (${digest}, ${expiresAt})
    on conflict (digest) do nothing`;
  await tellNodes(sql, { kind: "token", digest, expiresAt });
}

/**
 * Refuses every token of `subject` that was issued before the second of `now`; every node hears of
 * it when the transaction commits. Times of issue are whole seconds, and a token of this second may
 * be the first of a new sign-in.
 */
export async function denyUser(sql: Queryable, subject: string, now: Date): Promise<Denial> {
  const issuedBefore = new Date(Math.floor(now.getTime() / 1000) * 1000);
  await sql`
    insert into revoked_users (subject, issued_before) values (${subject}, ${issuedBefore})
    on conflict (subject) do update set
      issued_before = greatest(revoked_users.issued_before, excluded.issued_before),
      added_at = excluded.added_at`;
  const denial: Denial = { kind: "user", subject, issuedBefore };
  await tellNodes(sql, denial);
  return denial;
}

/** What is refused, or what came since a time; with the database's time before it was read. */
export async function readDenied(
  sql: Queryable,
  since: Date | null,
): Promise<{ denials: Denial[]; asOf: Date }> {
  const [clock] = await sql<[{ now: Date }]>`select clock_timestamp() as now`;
  const newer = since === null ? sql`` : sql`where added_at > ${since}`;
  const tokens = await sql<{ digest: string; expires_at: Date }[]>`
    select digest, expires_at from revoked_tokens ${newer}`;
  const users = await sql<{ subject: string; issued_before: Date }[]>`
    select subject, issued_before from revoked_users ${newer}`;
  return {
    asOf: clock.now,
    denials: [
      ...tokens.map(({ digest, expires_at }): Denial => ({
        kind: "token",
        digest,
        expiresAt: expires_at,
      })),
      ...users.map(({ subject, issued_before }): Denial => ({
        kind: "user",
        subject,
        issuedBefore: issued_before,
      })),
    ],
  };
}

/** Whether the database refuses a token, whatever this node has heard of by now. */
export async function isDenied(
  sql: Queryable,
  token: { digest: string; subject: string; issuedAt: Date },
): Promise<boolean> {
  const found = await sql`
    select 1 from revoked_tokens where digest = ${token.digest}
    union all
    select 1 from revoked_users
    where subject = ${token.subject} and issued_before > ${token.issuedAt}`;
  return found.length > 0;
}

/** Forgets what would have ended by itself by now. */
export async function removeDenied(sql: Queryable, now: Date): Promise<void> {
  const ended = now.getTime() - CLOCKS_DIFFER_MS;
  const issued = new Date(ended - TOKEN_LIFETIME_SECONDS * 1000);
  await sql`delete from revoked_tokens where expires_at < ${new Date(ended)}`;
  await sql`delete from revoked_users where issued_before < ${issued}`;
}
