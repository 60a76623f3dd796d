/**
 * What the registry does by itself: scans that were interrupted are ended, records in `error`, and
 * those to which other advisories apply, are scanned again, and what nothing needs any more is removed. Any number of nodes may do so at once.
 *
 * @module
 */
import { forgetResolutions } from "../packages/remembered.ts";
import { removeUnusedPackages } from "../packages/store.ts";
import { removeUnusedArchives } from "../repository/archives.ts";
import type { RegistryDeps } from "./deps.ts";
import { removeExpiredInvitations } from "./ownership/invitations.ts";
import { recheckAdvisories } from "./scanning/recheck.ts";
import { removeExpired } from "../names/reserved.ts";
import { retryErroredScans } from "./scanning/rescan.ts";
import { refuseInterrupted, removeOldScans } from "./scanning/scans.ts";
import { sumCalls } from "./usage/history.ts";

const ROUND_MS = 15_000;
const CLEAN_EVERY = 240;
const SUM_EVERY = 40;

/**
 * Ends the scans whose node died, which frees the names they hold.
 *
 * @param options `alone`: no other process uses the database, so every running scan is one of a
 * process that is gone. Right only at the start.
 */
export async function recoverScans(
  deps: Pick<RegistryDeps, "sql" | "log" | "now">,
  options: { alone?: boolean } = {},
): Promise<void> {
  const everyone = options.alone ?? false;
  const servers = await refuseInterrupted(deps.sql, deps.now(), { everyone });
  if (servers.length > 0) deps.log.warn("scan.interrupted", { servers });
}

async function clean(deps: RegistryDeps): Promise<void> {
  await removeExpired(deps.sql, deps.now());
  await removeExpiredInvitations(deps.sql, deps.now());
  await removeOldScans(deps.sql, deps.now());
  await removeUnusedArchives(deps.sql);
  await removeUnusedPackages(deps.sql, deps.now());
  await forgetResolutions(deps.sql, deps.now());
}

/** Work that goes on until it is stopped. */
export interface BackgroundWork {
  /** Begins no more rounds; a scan that runs ends with `jobs.close()`. */
  stop(): void;
}

/**
 * Starts the registry's own work.
 *
 * @param options See {@link recoverScans}; what that does is done when this returns.
 */
export async function startBackgroundWork(
  deps: RegistryDeps,
  options: { alone?: boolean } = {},
): Promise<BackgroundWork> {
  await recoverScans(deps, options);
  let rounds = 0;
  let busy = false;
  async function round() {
    if (busy || deps.jobs.signal.aborted) return;
    busy = true;
    try {
      await recoverScans(deps);
      await retryErroredScans(deps);
      await recheckAdvisories(deps);
      await deps.drawMissingIcons?.();
      if (rounds % SUM_EVERY === 0) await sumCalls(deps.sql, deps.now());
      if (rounds++ % CLEAN_EVERY === 0) await clean(deps);
    } catch (error) {
      deps.log.error("registry.background_failed", { error });
    } finally {
      busy = false;
    }
  }
  const timer = setInterval(() => void deps.jobs.run(round), ROUND_MS);
  return { stop: () => clearInterval(timer) };
}
