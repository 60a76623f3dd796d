/**
 * Bounds on what a session may say beside its answers. The worker keeps to lower ones, so a session
 * that gets past these is not honest.
 *
 * @module
 */
import { MAX_LOG_BYTES, MAX_NOTIFICATIONS_PER_SECOND } from "../../../workers/limits.ts";
import { createBucket } from "./bucket.ts";

/** Decides which events of a session are passed on. */
export interface OutputBounds {
  /** A new call begins: the log budget is full again. */
  begin(): void;
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
  let logBytes = 0;
  let dropped = 0;
  return {
    begin() {
      logBytes = 0;
    },
    log(bytes) {
      logBytes += bytes;
      if (logBytes > LOG_BYTES_TOLERATED) throw new Error("A flood of log entries");
    },
    notification() {
      if (takeNotification()) return true;
      if (++dropped > DROPPED_TOLERATED) throw new Error("A flood of notifications");
      return false;
    },
  };
}
