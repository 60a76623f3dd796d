/**
 * The `scan_reports` table: the report of every stored scan of a record that exists.
 *
 * @module
 */
import type { Queryable, Transaction } from "../../database/client.ts";
import { compareReports } from "../../scan/compare.ts";
import type { SecurityReport } from "../../scan/schema.ts";
import type { Visibility } from "../../access/schema.ts";
import type { RegistryDeps } from "../deps.ts";
import type { ServerDetail } from "../schema.ts";
import { findDetail } from "../servers/store.ts";
import type { HistoryEntry } from "./scan_schema.ts";

/** A stored report with what it belongs to. */
export interface KeptReport {
  scanId: string;
  server: string;
  version: string;
  /** The record's stored scan before. */
  previous: string | null;
  report: SecurityReport;
  /** The record's, now. */
  visibility: Visibility;
}

/** Keeps the report of a scan that was just stored, compared with the one before. */
async function keepReport(
  tx: Transaction,
  kept: { scanId: string; server: string; version: string; report: SecurityReport },
): Promise<void> {
  const { scanId, server, version, report } = kept;
  const [before] = await tx<{ scan_id: string; report: SecurityReport }[]>`
    select scan_id, report from scan_reports where server = ${server}
    order by position desc limit 1`;
  const changes = compareReports(before?.report ?? null, report);
  await tx`
    insert into scan_reports
      (scan_id, server, previous, version, source_commit, new_issues, fixed_issues, report)
    values (${scanId}, ${server}, ${before?.scan_id ?? null}, ${version}, ${report.source.commit},
      ${changes.new.length}, ${changes.fixed.length}, ${JSON.stringify(report)}::text::json)`;
}

/**
 * The last step of storing a scan, when its record is written: the report is kept, and the record's
 * advisories count as checked now.
 *
 * @returns The record as it is shown.
 */
export async function keepScan(
  tx: Transaction,
  deps: Pick<RegistryDeps, "now" | "policy">,
  kept: { scanId: string; server: string; version: string; report: SecurityReport },
): Promise<ServerDetail> {
  await tx`
    update servers set advisories_checked_at = ${deps.now()} where name = ${kept.server}`;
  await keepReport(tx, kept);
  return (await findDetail(tx, kept.server, deps.policy))!;
}

/** The report of a scan; null when none is kept. */
export async function findReport(sql: Queryable, scanId: string): Promise<KeptReport | null> {
  const [row] = await sql<(Omit<KeptReport, "scanId"> & { scan_id: string })[]>`
    select scan_id, server, r.version, previous, report, visibility
    from scan_reports r join servers on name = server where scan_id = ${scanId}`;
  if (row === undefined) return null;
  const { scan_id, ...rest } = row;
  return { scanId: scan_id, ...rest };
}

type HistoryRow = Omit<HistoryEntry, "started_at" | "finished_at" | "commit"> & {
  started_at: Date;
  finished_at: Date;
  source_commit: string;
};

/** Stored scans of a record, the last stored first; `after` is the last id of the page before. */
export async function listReports(
  sql: Queryable,
  server: string,
  page: { limit: number; after: string | null },
): Promise<HistoryEntry[]> {
  const { limit, after } = page;
  const rows = await sql<HistoryRow[]>`
    select id, action, version, source_commit, outcome->>'status' as status,
      outcome->'summary' as summary, new_issues, fixed_issues, previous, started_at, finished_at
    from scan_reports r join scans on id = scan_id
    where r.server = ${server}
      ${
    after === null
      ? sql``
      : sql`and position < (select position from scan_reports where scan_id = ${after})`
  }
    order by position desc limit ${limit}`;
  return rows.map(({ source_commit, started_at, finished_at, ...row }) => ({
    ...row,
    commit: source_commit,
    started_at: started_at.toISOString(),
    finished_at: finished_at.toISOString(),
  }));
}
