/**
 * Time as the execution side sees it, so that tests can hold it.
 *
 * @module
 */

import { now } from "../clock.ts";

/** Time and timers, passed in so that tests control them. */
export interface Clock {
  /** Milliseconds of a clock that never goes back, for ages and durations. */
  now(): number;
  /** The time of day, to be shown and stored. */
  date(): Date;
  /** Calls `run` after `ms` milliseconds unless the returned function is called before. */
  after(ms: number, run: () => void): () => void;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => performance.now(),
  date: now,
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
