/**
 * Counters of spare sessions.
 *
 * @module
 */

/** Figures since the start, but for `waiting`. */
export interface SpareMetrics {
  waiting: number;
  /** Sessions that began from a spare one. */
  hits: number;
  /** Sessions of servers in demand that could have, but none waited. */
  misses: number;
  /** Spare sessions that nobody could have, by reason. */
  unfit: Record<string, number>;
}

/** Counters at zero. */
export function createSpareMetrics(): SpareMetrics {
  return { waiting: 0, hits: 0, misses: 0, unfit: {} };
}
