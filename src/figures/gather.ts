/**
 * Gathers a node's figures, a minute at a time, beside all that it does.
 *
 * @module
 */
import type { Sql } from "../database/client.ts";
import type { Logger } from "../log.ts";
import { type Figures, noFigures, risen } from "./figures.ts";
import { addFigures, removeOldFigures } from "./store.ts";

const EVERY_MS = 60_000;
const REMOVE_EVERY = 60;

export interface GatherOptions {
  sql: Sql;
  log: Logger;
  now: () => Date;
  /** What this node is called, in at most 100 characters; the same after a restart. */
  node: string;
  /** The figures of now. */
  read: () => Promise<Figures>;
}

/** Gathering that goes on until it is stopped. */
export interface Gathering {
  /** Keeps what came since the last time. Never rejects. */
  gather(): Promise<void>;
  /** Keeps what is left, and ends. */
  close(): Promise<void>;
}

/** Writes a row each minute, and removes old ones each hour, until it is closed. */
export function startGathering({ sql, log, now, node, read }: GatherOptions): Gathering {
  let before = noFigures();
  let rounds = 0;
  async function keep() {
    try {
      const figures = await read();
      const since = risen(figures, before);
      before = figures;
      await addFigures(sql, { node, now: now(), figures: since });
      if (rounds++ % REMOVE_EVERY === 0) await removeOldFigures(sql, now());
    } catch (error) {
      // A gap in a chart; the next round begins after it.
      log.warn("figures.not_kept", { error });
    }
  }
  let round = Promise.resolve();
  const gather = () => round = round.then(keep);
  const timer = setInterval(() => void gather(), EVERY_MS);
  return {
    gather,
    async close() {
      clearInterval(timer);
      await gather();
    },
  };
}
