/**
 * Room for work that holds much memory: so much is done at once, so much waits, and what is beyond
 * is turned away.
 *
 * @module
 */
import { noRoom } from "./failures.ts";

/** Does `work` when there is room. @throws {AppError} `unavailable` when too many wait. */
export type Room = <T>(work: () => Promise<T>) => Promise<T>;

/** Room for `places` at once, with `waiting` behind them. */
export function createRoom({ places, waiting }: { places: number; waiting: number }): Room {
  let free = places;
  const queue: (() => void)[] = [];

  async function enter(): Promise<void> {
    if (free > 0) {
      free--;
      return;
    }
    if (queue.length >= waiting) throw noRoom();
    await new Promise<void>((resolve) => queue.push(resolve));
  }
  function leave(): void {
    const next = queue.shift();
    if (next === undefined) free++;
    else next();
  }

  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
