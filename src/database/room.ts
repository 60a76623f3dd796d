/**
 * Whether the database had room for what was written lately. A PostgreSQL whose disk is full still
 * answers, and says so only to who writes.
 *
 * @module
 */
import { isDiskFull } from "./errors.ts";

/** What the node has heard of the database's room. */
export interface RoomWatch {
  /** Takes note of why a request failed. */
  note(error: unknown): void;
  /** Whether a write was refused for want of room in the last 10 seconds. */
  isFull(): boolean;
}

// Then requests come again, and show whether there is room by now.
const REMEMBERED_MS = 10_000;

/** @param elapsed Milliseconds of a clock that never goes back. */
export function createRoomWatch(elapsed: () => number = () => performance.now()): RoomWatch {
  let fullAt: number | null = null;
  return {
    note(error) {
      if (isDiskFull(error)) fullAt = elapsed();
    },
    isFull: () => fullAt !== null && elapsed() - fullAt < REMEMBERED_MS,
  };
}
