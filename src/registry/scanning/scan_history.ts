/**
 * The scans of a record and their reports, alone and compared.
 *
 * @module
 */
import type { Caller } from "../../identity/caller.ts";
import { compareReports, type Comparison } from "../../scan/compare.ts";
import type { Viewer } from "../../access/rule.ts";
import { checkReadable } from "../access/check.ts";
import { noReport, notComparable } from "../failures.ts";
import type { AccessDeps } from "../ownership/access.ts";
import { findReport, type KeptReport, listReports } from "./scan_reports.ts";
import type { HistoryEntry, HistoryQuery } from "./scan_schema.ts";
import { getScan } from "./scan_watch.ts";

type HistoryDeps = Pick<AccessDeps, "sql" | "policy">;

/** A page of a record's scans, the last first. @throws {AppError} `not_found`. */
export async function listScans(
  deps: Pick<AccessDeps, "sql">,
  name: string,
  query: HistoryQuery,
  viewer: Viewer,
): Promise<{ scans: HistoryEntry[]; nextCursor: string | null }> {
  await checkReadable(deps.sql, viewer, name);
  const { limit, cursor = null } = query;
  const scans = await listReports(deps.sql, name, { limit: limit + 1, after: cursor });
  const more = scans.length > limit;
  return { scans: scans.slice(0, limit), nextCursor: more ? scans[limit - 1]!.id : null };
}

/**
 * The report of a scan.
 *
 * @throws {AppError} `not_found` as `getScan`, and when no report is kept: the scan still runs, was
 * refused, or its record was removed.
 */
export async function getScanReport(
  deps: HistoryDeps,
  id: string,
  caller: Caller | null,
): Promise<KeptReport> {
  await getScan(deps, id, caller);
  const kept = await findReport(deps.sql, id);
  if (kept === null) throw noReport();
  return kept;
}

/**
 * The report of a scan and how it differs from another of the same record.
 *
 * @param against Id of the other scan; without it the one before.
 * @throws {AppError} As {@link getScanReport}; `invalid_request` when the other is another record's.
 */
export async function compareScan(
  deps: HistoryDeps,
  id: string,
  caller: Caller | null,
  against?: string,
): Promise<{ kept: KeptReport; with: string | null; comparison: Comparison }> {
  const kept = await getScanReport(deps, id, caller);
  const other = against ?? kept.previous;
  const before = other === null ? null : await findReport(deps.sql, other);
  if (against !== undefined && before?.server !== kept.server) throw notComparable();
  return {
    kept,
    with: before?.scanId ?? null,
    comparison: compareReports(before?.report ?? null, kept.report),
  };
}
