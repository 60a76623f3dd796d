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
  /** Resolves when everything that was started has ended. */
  idle(): Promise<void>;
}

/** An empty set. */
export function createBackground(log: Logger): Background {
  const running = new Set<Promise<void>>();
  return {
    run(event, work) {
      const piece = work().catch((error) => log.error(event, { error })).finally(() =>
        running.delete(piece)
      );
      running.add(piece);
    },
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
