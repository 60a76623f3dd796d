/**
 * What administrators see beyond the API.
 *
 * @module
 */
import { RIGHTS_CHANNEL } from "../../access/channel.ts";
import { recordChange } from "../../audit/audit.ts";
import type { Sql } from "../../database/client.ts";
import type { ScanStatus } from "../../scan/schema.ts";

const LISTED_MAX = 100;

/** Counts of the whole installation. */
export interface Totals {
  servers: number;
  users: number;
  failed: number;
  unfinished: number;
  scansRunning: number;
}

export async function readTotals(sql: Sql): Promise<Totals> {
  const [row] = await sql<[Totals]>`
    select (select count(*)::int from servers) as servers,
      (select count(*)::int from users) as users,
      (select count(*)::int from servers where scan_status = 'failed') as failed,
      (select count(*)::int from servers where scan_status = 'error') as unfinished,
      (select count(*)::int from scans where state = 'running') as "scansRunning"`;
  return row;
}

export interface ListedUser {
  username: string;
  isAdmin: boolean;
  servers: number;
  createdAt: Date;
}

/** Text for LIKE that finds names which begin with `start`. */
function beginning(start: string): string {
  return `${start.toLowerCase().replace(/[\\%_]/g, (one) => `\\${one}`)}%`;
}

/** Users whose name begins with `start`. */
export async function listUsers(sql: Sql, start: string): Promise<ListedUser[]> {
  return await sql<ListedUser[]>`
    select username, is_admin as "isAdmin", created_at as "createdAt",
      (select count(*)::int from servers where owner = users.subject) as servers
    from users where username like ${beginning(start)}
    order by username limit ${LISTED_MAX}`;
}

/** Makes a user an administrator, or no longer one. False when there is no such user. */
export async function setAdministrator(
  sql: Sql,
  change: { username: string; isAdmin: boolean; actor: string; requestId: string; at: Date },
): Promise<boolean> {
  return await sql.begin(async (tx) => {
    const [changed] = await tx<{ subject: string }[]>`
      update users set is_admin = ${change.isAdmin}
      where username = ${change.username} and subject <> ${change.actor} returning subject`;
    if (changed === undefined) return false;
    await recordChange(tx, {
      actor: change.actor,
      action: change.isAdmin ? "user.grant_admin" : "user.withdraw_admin",
      subject: changed.subject,
      requestId: change.requestId,
      at: change.at,
      details: { username: change.username },
    });
    // What administrators alone may run ends.
    if (!change.isAdmin) await tx`select pg_notify(${RIGHTS_CHANNEL}, ${changed.subject})`;
    return true;
  });
}

/** A server in the administrators' list. */
export interface AdminServer {
  name: string;
  version: string;
  status: ScanStatus;
  owner: string | null;
  updatedAt: Date;
}

/** Servers whose name begins with `start`, the last changed first. */
export async function listAllServers(sql: Sql, start: string): Promise<AdminServer[]> {
  return await sql<AdminServer[]>`
    select name, version, scan_status as status, username as owner, updated_at as "updatedAt"
    from servers left join users on users.subject = servers.owner
    where name like ${beginning(start)}
    order by updated_at desc, name limit ${LISTED_MAX}`;
}

/** A scan in the administrators' list. */
export interface AdminScan {
  id: string;
  server: string;
  action: string;
  state: "running" | "stored" | "refused";
  status: ScanStatus | null;
  reason: string | null;
  by: string | null;
  startedAt: Date;
  finishedAt: Date | null;
}

export async function listLatestScans(sql: Sql): Promise<AdminScan[]> {
  return await sql<AdminScan[]>`
    select id, server, action, state, outcome ->> 'status' as status,
      failure ->> 'message' as reason, username as by, started_at as "startedAt",
      finished_at as "finishedAt"
    from scans left join users on users.subject = scans.actor
    order by started_at desc limit ${LISTED_MAX}`;
}
