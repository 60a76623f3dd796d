/**
 * The time of day of this node. Machines' clocks are set back by seconds now and then; tokens that
 * were just issued would be from the future then, and what happened later would come first.
 *
 * @module
 */

/** A step back of up to this is waited out, in milliseconds; after a longer one the clock was wrong. */
const HELD_MS = 60_000;

/**
 * A clock that follows `read` (milliseconds since the epoch) but stands still where that steps back
 * by up to a minute, until it has caught up.
 */
export function createClock(read: () => number): () => Date {
  let latest = -Infinity;
  return () => {
    const time = read();
    if (time > latest || latest - time > HELD_MS) latest = time;
    return new Date(latest);
  };
}

/** The time of day, shared by the whole process. For ages and durations use `performance.now()`. */
export const now: () => Date = createClock(Date.now);
