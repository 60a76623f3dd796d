/**
 * Notices a host that does not read what is sent to it: its answers would stay in the main process.
 *
 * @module
 */
import type { Writable } from "node:stream";

/** How long a host may read nothing while something waits for it, twice in a row. */
export const STALL_MS = 30_000;

/** The watch over one channel. */
export interface ReadingWatch {
  /** Something was written. */
  wrote(): void;
  /** The other end has taken something. */
  taken(): void;
  /** Ends the watch. */
  stop(): void;
}

/**
 * Calls `onStall` when the other end of `channel` has taken nothing for `ms`, twice in a row: once
 * may be a machine that slept.
 */
export function watchReading(channel: Writable, ms: number, onStall: () => void): ReadingWatch {
  let count = 0;
  let timer: ReturnType<typeof setTimeout> | null = null;

  function check(before: number, wasStill: boolean): void {
    timer = null;
    if (channel.writableLength === 0 || channel.destroyed) return;
    const isStill = count === before;
    if (isStill && wasStill) return onStall();
    timer = setTimeout(check, ms, count, isStill);
  }

  return {
    wrote() {
      timer ??= setTimeout(check, ms, count, false);
    },
    taken() {
      count += 1;
    },
    stop() {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
