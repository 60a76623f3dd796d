/**
 * Work that goes on after the answer: so that an answer takes as long whether or not there is an
 * account to send something to.
 *
 * @module
 */
import type { Logger } from "../log.ts";

/** A set of running pieces of work. */
export interface Background {
  /** Starts `work`; its failure is logged as `event`. */
  run(event: string, work: () => Promise<void>): void;
  /** Resolves when everything that was started has ended, or after so many milliseconds. */
  idle(withinMs?: number): Promise<void>;
}

/** An empty set. */
export function createBackground(log: Logger): Background {
  const running = new Set<Promise<void>>();
  async function ended() {
    while (running.size > 0) await Promise.all(running);
  }
  return {
    run(event, work) {
      const piece = work().catch((error) => log.error(event, { error })).finally(() =>
        running.delete(piece)
      );
      running.add(piece);
    },
    async idle(withinMs) {
      if (withinMs === undefined) return await ended();
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, withinMs);
      await Promise.race([ended(), promise]);
      clearTimeout(timer);
    },
  };
}
