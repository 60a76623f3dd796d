/**
 * Deadlines on a machine with more work than processors: what an honest server is scanned and built
 * with must not fail because it waits for one.
 *
 * @module
 */

/** At most so many times as long: what hangs keeps its place until then. */
const MOST = 4;

/** Processes that ran or waited for each processor within the last minute; 0 where none is told. */
function crowding(): number {
  return Deno.loadavg()[0]! / navigator.hardwareConcurrency;
}

/** By what deadlines are multiplied now: 1 on a machine with a processor for everyone, at most 4. */
export function patience(crowded = crowding()): number {
  return Math.min(Math.max(crowded, 1), MOST);
}
