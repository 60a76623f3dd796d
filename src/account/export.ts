/**
 * Taking along what Berth keeps of a user.
 *
 * @module
 */
import type { Visibility } from "../access/schema.ts";
import type { Sql } from "../database/client.ts";
import type { Caller } from "../identity/caller.ts";
import { listKeys } from "../keys/list.ts";
import { listPurchases } from "../payments/list.ts";
import { listHostTokens } from "../repository/tokens/list.ts";
import type { AccountDeps } from "./deps.ts";
import type { AccountExport } from "./schema.ts";

const ACTIVITY_MAX = 10_000;
const SCANS_MAX = 10_000;
/** Purchases that are read at once. */
const PAGE = 100;

type Json<T> = {
  [K in keyof T]: T[K] extends Date ? string : T[K] extends Date | null ? string | null
  : T[K];
};

/** A row whose times are as JSON has them. */
function json<T extends object>(row: T): Json<T> {
  const entries = Object.entries(row).map(([key, value]) => [
    key,
    value instanceof Date ? value.toISOString() : value,
  ]);
  return Object.fromEntries(entries) as Json<T>;
}

async function userIn(sql: Sql, { userId, username, isAdmin }: Caller) {
  const [row] = await sql<
    { username_changed_at: Date | null; created_at: Date; groups: string[] }[]
  >`
    select username_changed_at, created_at, groups from users where subject = ${userId}`;
  return { user_id: userId, username, is_admin: isAdmin, ...json(row!) };
}

async function signInOf(sql: Sql, userId: string): Promise<AccountExport["sign_in"]> {
  const [account] = await sql<
    { email: string | null; email_verified: boolean; has_password: boolean; created_at: Date }[]
  >`
    select email, email_verified, password is not null as has_password, created_at
    from issuer_accounts where id = ${userId}`;
  if (account === undefined) return null;
  const providers = await sql<{ provider: string; subject: string; created_at: Date }[]>`
    select provider, subject, created_at from issuer_identities
    where account_id = ${userId} order by created_at`;
  return { ...json(account), providers: providers.map(json) };
}

async function browsersOf(sql: Sql, userId: string) {
  const rows = await sql<{ created_at: Date; last_used_at: Date; expires_at: Date }[]>`
    select created_at, last_used_at, expires_at from web_sessions
    where subject = ${userId} order by created_at`;
  return rows.map(json);
}

async function tokensOf(sql: Sql, userId: string) {
  const rows = await sql<
    {
      id: string;
      name: string;
      created_at: Date;
      expires_at: Date;
      last_used_at: Date | null;
      revoked_at: Date | null;
    }[]
  >`
    select id, name, created_at, expires_at, last_used_at, revoked_at from api_tokens
    where owner = ${userId} order by created_at`;
  return rows.map(json);
}

async function serversOf(sql: Sql, userId: string) {
  const rows = await sql<
    {
      name: string;
      author: string;
      version: string;
      description: string;
      repository: string;
      visibility: Visibility;
      created_at: Date;
      updated_at: Date;
    }[]
  >`
    select name, author, version, description, repository_url as repository, visibility, created_at,
      updated_at
    from servers where owner = ${userId} order by name`;
  return rows.map(json);
}

async function readableBy(sql: Sql, userId: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select name from servers
    where readers @> array[${userId}] and visibility = 'private' order by name`;
  return rows.map(({ name }) => name);
}

async function authorsOf(sql: Sql, userId: string) {
  const owned = await sql<{ author: string; since: Date }[]>`
    select n.author, o.created_at as since
    from namespace_owners o join author_namespaces n using (author_key)
    where o.owner = ${userId} order by o.created_at, n.author_key`;
  const invited = await sql<{ author: string; created_at: Date; expires_at: Date }[]>`
    select n.author, i.created_at, i.expires_at
    from namespace_invitations i join author_namespaces n using (author_key)
    where i.invitee = ${userId} order by i.created_at, n.author_key`;
  return { authors: owned.map(json), invitations: invited.map(json) };
}

async function transfersTo(sql: Sql, userId: string) {
  const rows = await sql<{ server: string; state: string; created_at: Date }[]>`
    select server, state, created_at from server_transfers
    where recipient = ${userId} order by created_at, server`;
  return rows.map(json);
}

async function purchasesOf(sql: Sql, caller: Caller): Promise<AccountExport["purchases"]> {
  const all: AccountExport["purchases"] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const query = { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
    const page = await listPurchases({ sql }, caller, query);
    all.push(...page.purchases);
    cursor = page.nextCursor;
  }
  return all;
}

async function doneBy(sql: Sql, userId: string) {
  const scans = await sql<
    { id: string; server: string; action: string; state: string; started_at: Date }[]
  >`
    select id, server, action, state, started_at from scans
    where actor = ${userId} order by started_at desc limit ${SCANS_MAX}`;
  const sessions = await sql<{ server: string; started_at: Date; ended_at: Date | null }[]>`
    select server, started_at, ended_at from execution_sessions
    where user_id = ${userId} order by started_at`;
  const activity = await sql<{ at: Date; action: string; subject: string }[]>`
    select at, action, subject from audit_log
    where actor = ${userId} order by id desc limit ${ACTIVITY_MAX}`;
  return { scans: scans.map(json), sessions: sessions.map(json), activity: activity.map(json) };
}

/** Everything that is kept of the caller, but for what lets one in: values of keys, digests. */
export async function exportAccount(
  { sql, now, ring }: Pick<AccountDeps, "sql" | "now" | "ring">,
  caller: Caller,
): Promise<AccountExport> {
  const { userId } = caller;
  return {
    exported_at: now().toISOString(),
    user: await userIn(sql, caller),
    sign_in: await signInOf(sql, userId),
    browsers: await browsersOf(sql, userId),
    api_tokens: await tokensOf(sql, userId),
    servers: await serversOf(sql, userId),
    readable_servers: await readableBy(sql, userId),
    ...await authorsOf(sql, userId),
    transfers: await transfersTo(sql, userId),
    keys: await listKeys({ sql, now, ring }, caller),
    code_host_tokens: await listHostTokens({ sql, now, ring }, caller),
    purchases: await purchasesOf(sql, caller),
    ...await doneBy(sql, userId),
  };
}
