/**
 * Looking at a scan, once or until it ends.
 *
 * @module
 */
import type { Caller } from "../../identity/caller.ts";
import { scanNotFound } from "../failures.ts";
import { type AccessDeps, mayChange } from "../ownership/access.ts";
import type { ScanView } from "./scan_schema.ts";
import { findScan, type StoredScan } from "./scans.ts";
import { findRow } from "../servers/store.ts";

/** How long a watcher may be behind. */
const POLL_MS = 250;

/** What it takes to see who may see a scan. */
type WatchDeps = Pick<AccessDeps, "sql" | "policy">;

/**
 * A stored scan is everybody's; before, and when it was refused, it is for whoever began it, the
 * server's owner then, and those who may change the server now. A creation that was refused has
 * nothing to do with who owns a server of that name later.
 */
async function maySee(deps: WatchDeps, caller: Caller | null, scan: StoredScan): Promise<boolean> {
  const { view, actor, owner } = scan;
  if (view.state === "stored") return true;
  if (caller === null) return false;
  if (caller.isAdmin || caller.userId === actor || caller.userId === owner) return true;
  if (view.action === "create") return false;
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
