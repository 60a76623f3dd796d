/**
 * Bounds on what a session may say beside its answers. The worker keeps to lower ones, so a session
 * that gets past these is not honest.
 *
 * @module
 */
import { MAX_LOG_BYTES, MAX_NOTIFICATIONS_PER_SECOND } from "../../../workers/session/limits.ts";
import { createBucket } from "./bucket.ts";
import { createByteBudget } from "./budget.ts";

/** Decides which events of a session are passed on. */
export interface OutputBounds {
  /** A new call begins: the log budget is full again. */
  begin(): void;
  /** Whether an event of this many bytes is read at all. */
  read(bytes: number): boolean;
  /** Counts a log entry of this many bytes. */
  log(bytes: number): void;
  /** Whether one more notification is passed on. */
  notification(): boolean;
}

// The worker counts characters and this side bytes, and the worker adds a line on what it cut.
const LOG_BYTES_TOLERATED = 4 * MAX_LOG_BYTES;
// Two full seconds: the worker's seconds do not begin when ours do.
const BURST = 2 * MAX_NOTIFICATIONS_PER_SECOND;
const DROPPED_TOLERATED = 10_000;
/** Bytes of events of a session that are read in a minute. */
export const EVENT_BYTES_PER_MINUTE = 32 * 1024 * 1024;
/** What an event counts as at least: even an empty one takes time. */
const EVENT_MIN_BYTES = 256;

/**
 * Bounds for one session.
 *
 * @throws {Error} From its functions, when a session floods.
 */
export function createOutputBounds(now?: () => number): OutputBounds {
  const takeNotification = createBucket({
    capacity: BURST,
    perSecond: MAX_NOTIFICATIONS_PER_SECOND,
    now,
  });
  const take = createByteBudget(EVENT_BYTES_PER_MINUTE, now);
  let logBytes = 0;
  let dropped = 0;

  function drop(): false {
    if (++dropped > DROPPED_TOLERATED) throw new Error("Too many notifications");
    return false;
  }
  return {
    begin() {
      logBytes = 0;
    },
    read: (bytes) => take(Math.max(bytes, EVENT_MIN_BYTES)) || drop(),
    log(bytes) {
      logBytes += bytes;
      if (logBytes > LOG_BYTES_TOLERATED) throw new Error("Too many log entries");
    },
    notification() {
      return takeNotification() || drop();
    },
  };
}
