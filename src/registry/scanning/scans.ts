/**
 * The `scans` table: which scans run and ran. A running scan holds the name of its server, so that
 * of two creations, or two changes that scan, only one begins. It is held by a lease that the
 * scan's node renews: when a node dies, the name is free again once the lease has run out.
 *
 * @module
 */
import type { Queryable, Transaction } from "../../database/client.ts";
import type { AppError } from "../../errors.ts";
import { type SecurityReport, type StageProgress, STAGES } from "../../scan/schema.ts";
import { scanInterrupted, scanLost, scanRunning, storedFailure } from "../failures.ts";
import { checkScanLimits } from "./scan_limits.ts";
import { storable } from "../servers/stored_text.ts";
import type { ScanAction, ScanFailure, ScanView } from "./scan_schema.ts";

/** A lease is renewed often enough to survive a few failed attempts. */
const LEASE_SECONDS = 60;
/** How often it is renewed. */
export const RENEW_SECONDS = 15;

export interface NewScan {
  id: string;
  server: string;
  action: ScanAction;
  /** Who began it: a token subject, or `system`. */
  actor: string;
  /** Who owns the server. */
  owner: string;
  requestId: string;
  /** Scans that its actor may begin in an hour; null where the limits of users do not apply. */
  perHour: number | null;
  now: Date;
}

const WAITING: StageProgress[] = STAGES.map((stage) => ({
  stage,
  state: "waiting",
  started_at: null,
  finished_at: null,
  issues: null,
}));

/**
 * Marks the running scans of dead nodes as refused, which frees the names they hold.
 *
 * @param which `server` names one; `everyone` also takes those whose lease still runs, which is
 * right only when no other process can be running them.
 * @returns The names of their servers.
 */
export async function refuseInterrupted(
  sql: Queryable,
  now: Date,
  which: { server?: string; everyone?: boolean } = {},
): Promise<string[]> {
  const rows = await sql<{ server: string }[]>`
    update scans set state = 'refused', finished_at = ${now},
      failure = ${failureColumn(sql, scanInterrupted())}
    where state = 'running'
      ${which.everyone ? sql`` : sql`and lease_until < now()`}
      ${which.server === undefined ? sql`` : sql`and server = ${which.server}`}
    returning server`;
  return rows.map((row) => row.server);
}

/**
 * Begins a scan, and with it the hold on the server's name.
 *
 * @throws {AppError} `conflict` when another scan of the server runs; `rate_limited` when its actor
 * has too many. The transaction must be rolled back then.
 */
export async function beginScan(tx: Transaction, scan: NewScan): Promise<void> {
  await refuseInterrupted(tx, scan.now, { server: scan.server });
  const begun = await tx`
    insert into scans (id, server, action, state, actor, owner, request_id, stages, started_at,
      lease_until)
    values (${scan.id}, ${scan.server}, ${scan.action}, 'running', ${scan.actor}, ${scan.owner},
      ${scan.requestId}, ${tx.json(WAITING)}, ${scan.now},
      now() + make_interval(secs => ${LEASE_SECONDS}))
    on conflict (server) where state = 'running' do nothing
    returning id`;
  if (begun.length === 0) throw scanRunning(scan.server);
  const { actor, perHour, now } = scan;
  if (perHour !== null) await checkScanLimits(tx, { actor, perHour, now });
}

/** Renews the lease; false when the scan no longer runs, so that it is to stop. */
export async function renewLease(sql: Queryable, id: string): Promise<boolean> {
  const renewed = await sql`
    update scans set lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where id = ${id} and state = 'running'`;
  return renewed.count > 0;
}

/** Records how far a running scan is. */
export async function saveProgress(
  sql: Queryable,
  id: string,
  stages: StageProgress[],
): Promise<void> {
  await sql`
    update scans set stages = ${sql.json(stages as never)}
    where id = ${id} and state = 'running'`;
}

/**
 * Ends a scan whose report is stored in the same transaction.
 *
 * @throws {AppError} `conflict` when it was ended by others: it has lost the server's name.
 */
export async function endStored(
  sql: Queryable,
  id: string,
  report: SecurityReport,
  now: Date,
): Promise<void> {
  const { scan_passed, total_issues_all_scanners, critical_issues } = report.summary;
  const summary = { scan_passed, total_issues_all_scanners, critical_issues };
  const ended = await sql`
    update scans set state = 'stored', finished_at = ${now},
      outcome = ${sql.json({ status: report.status, summary })}
    where id = ${id} and state = 'running'`;
  if (ended.count === 0) throw scanLost();
}

function failureColumn(sql: Queryable, error: AppError) {
  const { code, message, details, errors } = error;
  const failure = sql.json(storable({ code, message, details, errors }) as never);
  return sql`${failure} || jsonb_build_object('request_id', request_id)`;
}

/** Ends scans that run, by an id, the server that they are of or their owner, and keeps why. */
export async function endRefused(
  sql: Queryable,
  which: { id: string } | { server: string } | { owner: string },
  error: AppError,
  now: Date,
): Promise<void> {
  const meant = "id" in which
    ? sql`id = ${which.id}`
    : "server" in which
    ? sql`server = ${which.server}`
    : sql`owner = ${which.owner}`;
  await sql`
    update scans set state = 'refused', finished_at = ${now}, failure = ${failureColumn(sql, error)}
    where state = 'running' and ${meant}`;
}

/** Why the scan was refused; null when it was not, or not yet. */
export async function refusalOf(sql: Queryable, id: string): Promise<AppError | null> {
  const [row] = await sql<{ failure: ScanFailure }[]>`
    select failure from scans where id = ${id} and state = 'refused'`;
  return row === undefined ? null : storedFailure(row.failure);
}

const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;

/** Forgets scans that ended long ago and whose report is not kept. */
export async function removeOldScans(sql: Queryable, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEPT_DAYS * DAY_MS);
  const { count } = await sql`
    delete from scans where finished_at < ${before}
      and not exists (select 1 from scan_reports where scan_id = id)`;
  return count;
}

/** Forgets scans from before `before` with their reports, but for the newest of each version. */
export async function removeOldReports(sql: Queryable, before: Date): Promise<number> {
  const { count } = await sql`
    delete from scans where finished_at < ${before} and exists (
      select 1 from scan_reports r join scan_reports newer using (server, version)
      where r.scan_id = scans.id and newer.position > r.position
    )`;
  return count;
}

/** A scan with those who may see it before its report is stored. */
export interface StoredScan {
  view: ScanView;
  actor: string;
  owner: string;
}

type ScanRow = Omit<ScanView, "started_at" | "finished_at"> & {
  started_at: Date;
  finished_at: Date | null;
  actor: string;
  owner: string;
};

/** The scan with this id; null when there is none. */
export async function findScan(sql: Queryable, id: string): Promise<StoredScan | null> {
  if (!/^[\w-]{1,64}$/.test(id)) return null;
  const [row] = await sql<ScanRow[]>`
    select id, server, action, state, stages, started_at, finished_at, outcome, failure, actor,
      owner
    from scans where id = ${id}`;
  if (row === undefined) return null;
  const { actor, owner, started_at, finished_at, ...rest } = row;
  const view: ScanView = {
    id: rest.id,
    server: rest.server,
    action: rest.action,
    state: rest.state,
    stages: rest.stages,
    started_at: started_at.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
    outcome: rest.outcome,
    failure: rest.failure,
  };
  return { view, actor, owner };
}
