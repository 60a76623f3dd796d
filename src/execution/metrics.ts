/**
 * Counters of the execution side. Plain numbers: whoever exposes them reads the object.
 *
 * @module
 */

/** Upper bounds of the buckets of call durations, in seconds. */
export const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Figures since the start. */
export interface ExecutionMetrics {
  sessionsActive: number;
  sessionsStarted: number;
  /** Sessions that ended, by reason. */
  sessionsEnded: Record<string, number>;
  calls: number;
  /** Calls that were answered with a JSON-RPC error. */
  callErrors: number;
  callSecondsSum: number;
  /** Calls that took at most the bound of {@link DURATION_BUCKETS} at the same place. */
  callBuckets: number[];
}

/** Counters at zero. */
export function createMetrics(): ExecutionMetrics {
  return {
    sessionsActive: 0,
    sessionsStarted: 0,
    sessionsEnded: {},
    calls: 0,
    callErrors: 0,
    callSecondsSum: 0,
    callBuckets: DURATION_BUCKETS.map(() => 0),
  };
}

/** Counts one answered call. */
export function countCall(metrics: ExecutionMetrics, seconds: number, failed: boolean): void {
  metrics.calls += 1;
  if (failed) metrics.callErrors += 1;
  metrics.callSecondsSum += seconds;
  DURATION_BUCKETS.forEach((bound, at) => {
    if (seconds <= bound) metrics.callBuckets[at]! += 1;
  });
}
