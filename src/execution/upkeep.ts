/**
 * What the execution side does now and then.
 *
 * @module
 */
import type { Logger } from "../log.ts";
import type { Clock } from "./clock.ts";

const UPKEEP_MS = 60_000;

/** Does `work` every minute. @returns What stops it. */
export function startUpkeep(
  { clock, log }: { clock: Clock; log: Logger },
  work: () => Promise<void>,
) {
  let upkeep = Promise.resolve();
  let cancel = clock.after(UPKEEP_MS, keepUp);
  function keepUp() {
    upkeep = work().catch((error) => log.error("sessions.upkeep_failed", { error }));
    cancel = clock.after(UPKEEP_MS, keepUp);
  }
  return async () => {
    cancel();
    await upkeep;
  };
}
