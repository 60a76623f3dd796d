/**
 * What the registry does by itself: scans that were interrupted are ended, records in `error`, and
 * those to which other advisories apply, are scanned again. Any number of nodes may do so at once.
 *
 * @module
 */
import type { RegistryDeps } from "./deps.ts";
import { recheckAdvisories } from "./scanning/recheck.ts";
import { retryErroredScans } from "./scanning/rescan.ts";
import { refuseInterrupted } from "./scanning/scans.ts";
import { sumCalls } from "./usage/history.ts";

const ROUND_MS = 15_000;
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
      if (rounds++ % SUM_EVERY === 0) await sumCalls(deps.sql, deps.now());
    } catch (error) {
      deps.log.error("registry.background_failed", { error });
    } finally {
      busy = false;
    }
  }
  const timer = setInterval(() => void deps.jobs.run(round), ROUND_MS);
  return { stop: () => clearInterval(timer) };
}
