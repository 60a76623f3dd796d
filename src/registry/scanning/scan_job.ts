/**
 * A scan as work that goes on after its request was answered: it holds its server's name, has one of
 * the few places for such work, and ends stored or refused.
 *
 * @module
 */
import { AppError } from "../../errors.ts";
import type { RegistryDeps } from "../deps.ts";
import { scanCrashed, scanNotRecorded, scanStopped } from "../failures.ts";
import type { ServerDetail } from "../schema.ts";
import { type HeldScan, holdScan } from "./lease.ts";
import { endRefused, refusalOf } from "./scans.ts";

export type ScanOutcome =
  | { kind: "stored"; server: ServerDetail }
  | { kind: "refused"; error: AppError };

/** A scan that goes on in the background. */
export interface StartedScan {
  scanId: string;
  /** Settles when the scan has ended; never rejects. */
  done: Promise<ScanOutcome>;
}

/** A scan that `beginScan` has recorded. */
export interface ScanJob {
  scanId: string;
  server: string;
}

/** The refusal of a scan that `error` stopped. */
async function refusedBy(deps: RegistryDeps, scan: ScanJob, error: unknown): Promise<AppError> {
  // When others have ended the scan, what stopped the work is only a consequence.
  const ended = await refusalOf(deps.sql, scan.scanId);
  if (ended !== null) return ended;
  if (error instanceof AppError) return error;
  if (deps.jobs.signal.aborted) return scanStopped(error);
  deps.log.error("scan.crashed", { scan: scan.scanId, server: scan.server, error });
  return scanCrashed(error);
}

/** Ends a scan that `cause` stopped. Does not throw: the lease frees what cannot be ended now. */
async function refuse(deps: RegistryDeps, scan: ScanJob, cause: unknown): Promise<AppError> {
  try {
    const error = await refusedBy(deps, scan, cause);
    await endRefused(deps.sql, { id: scan.scanId }, error, deps.now());
    return error;
  } catch (failure) {
    deps.log.error("scan.not_ended", { scan: scan.scanId, error: failure, cause });
    return scanNotRecorded(failure);
  }
}

async function perform(
  deps: RegistryDeps,
  scan: ScanJob,
  work: (held: HeldScan) => Promise<ServerDetail>,
): Promise<ServerDetail> {
  const held = holdScan(deps, scan.scanId);
  let leave = () => {};
  try {
    leave = await deps.jobs.enter(held.signal);
    return await work(held);
  } finally {
    leave();
    await held.release();
  }
}

/** Runs `work`, which fetches, scans and stores; what it throws refuses the scan. */
export function runScanJob(
  deps: RegistryDeps,
  scan: ScanJob,
  work: (held: HeldScan) => Promise<ServerDetail>,
): StartedScan {
  const log = deps.log.child({ scan: scan.scanId, server: scan.server });
  const done = deps.jobs.run(async (): Promise<ScanOutcome> => {
    try {
      const server = await perform(deps, scan, work);
      log.info("scan.stored", { status: server.security_report.status });
      return { kind: "stored", server };
    } catch (cause) {
      const error = await refuse(deps, scan, cause);
      log.info("scan.refused", { code: error.code, reason: error.message });
      return { kind: "refused", error };
    }
  });
  return { scanId: scan.scanId, done };
}

/** Waits for a scan and returns the stored record. @throws {AppError} Why it was refused. */
export async function storedServer(started: StartedScan): Promise<ServerDetail> {
  const outcome = await started.done;
  if (outcome.kind === "refused") throw outcome.error;
  return outcome.server;
}
