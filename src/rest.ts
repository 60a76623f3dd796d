/**
 * Has the main process give memory back to the system once it rests. The allocator keeps what requests
 * and scans have freed, up to a third of the process.
 *
 * @module
 */

/** What is watched, and what is done. */
export interface RestOptions {
  /** Milliseconds of processor time that the process has used so far. */
  processorMs(): number;
  /** Has it give memory back. */
  trim(): void;
  /** Milliseconds between two looks. */
  intervalMs?: number;
}

const INTERVAL_MS = 15_000;
/** Share of a processor that a process which rests may use: timers, and looking after its hosts. */
const RESTING_SHARE = 0.05;
/** Processor time after which there is something to give back again. */
const WORK_MS = 2_000;

/** Looks at once a quarter of a minute; `trim` is called once in each rest after work. */
export function watchRest(options: RestOptions): { look(): void; close(): void } {
  const { processorMs, trim, intervalMs = INTERVAL_MS } = options;
  let before = processorMs();
  /** Processor time used since the last trim. */
  let used = before;

  function look(): void {
    const now = processorMs();
    const share = (now - before) / intervalMs;
    used += now - before;
    before = now;
    if (share > RESTING_SHARE || used < WORK_MS) return;
    used = 0;
    trim();
  }

  const timer = setInterval(look, intervalMs);
  Deno.unrefTimer(timer);
  return { look, close: () => clearInterval(timer) };
}
