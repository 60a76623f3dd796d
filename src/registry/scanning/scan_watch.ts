/**
 * Looking at a scan, once or until it ends.
 *
 * @module
 */
import type { Queryable } from "../../database/client.ts";
import type { Caller } from "../../identity/caller.ts";
import { readable } from "../../access/rule.ts";
import { scanNotFound } from "../failures.ts";
import { type AccessDeps, mayChange } from "../ownership/access.ts";
import type { ScanView } from "./scan_schema.ts";
import { findScan, type StoredScan } from "./scans.ts";
import { findRow } from "../servers/store.ts";

/** How long a watcher may be behind. */
const POLL_MS = 250;

/** What it takes to see who may see a scan. */
type WatchDeps = Pick<AccessDeps, "sql" | "policy">;

/** Whether the scan is of a record that `caller` may read: another one may have its name by now. */
async function mayReadReport(sql: Queryable, caller: Caller | null, id: string): Promise<boolean> {
  const rows = await sql`
    select from scan_reports join servers on name = server
    where scan_id = ${id} and ${readable(sql, caller)}`;
  return rows.length > 0;
}

/**
 * A stored scan is for those who may read its server; before, when it was refused, and when the
 * server is gone, it is for whoever began it, the server's owner then, and those who may change the
 * server now. A creation that was refused has nothing to do with who owns a server of that name later.
 */
async function maySee(deps: WatchDeps, caller: Caller | null, scan: StoredScan): Promise<boolean> {
  const { view, actor, owner } = scan;
  if (view.state === "stored" && await mayReadReport(deps.sql, caller, view.id)) return true;
  if (caller === null) return false;
  if (caller.isAdmin || caller.userId === actor || caller.userId === owner) return true;
  if (view.state === "stored" || view.action === "create") return false;
  const row = await findRow(deps.sql, view.server);
  return row !== null && await mayChange(deps.sql, deps.policy, caller, row);
}

/**
 * The scan with this id.
 *
 * @throws {AppError} `not_found`, also when `caller` may not see it.
 */
export async function getScan(
  deps: WatchDeps,
  id: string,
  caller: Caller | null,
): Promise<ScanView> {
  const scan = await findScan(deps.sql, id);
  if (scan !== null && await maySee(deps, caller, scan)) return scan.view;
  throw scanNotFound();
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done);
  });
}

/**
 * The scan as it is, again whenever it has changed, and last as it ended. Works for scans of other
 * nodes too.
 *
 * @param signal Ends the watch without an error.
 * @throws {AppError} As {@link getScan}.
 */
export async function* watchScan(
  deps: WatchDeps,
  id: string,
  caller: Caller | null,
  signal: AbortSignal,
): AsyncIterable<ScanView> {
  let seen = "";
  while (!signal.aborted) {
    const view = await getScan(deps, id, caller);
    const now = JSON.stringify(view);
    if (now !== seen) yield view;
    if (view.state !== "running") return;
    seen = now;
    await pause(POLL_MS, signal);
  }
}
