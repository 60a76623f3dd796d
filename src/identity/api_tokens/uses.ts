/**
 * When tokens were last used, written down behind the requests that use them.
 *
 * @module
 */
import type { Sql } from "../../database/client.ts";
import type { Logger } from "../../log.ts";
import { saveUses } from "./store.ts";

export interface UsesOptions {
  sql: Sql;
  log: Logger;
  now: () => Date;
  /** Milliseconds between writes. */
  flushMs?: number;
}

/** Remembers when tokens were last used, and writes that to the database every few seconds. */
export interface Uses {
  /** Costs a look into a map; any token, whether it is listed or not. */
  note(digest: string): void;
  /** Writes what is not yet written. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const FLUSH_MS = 5_000;
const ONCE_MS = 60_000;
/** Tokens whose last minute is known; beyond that some are written more often. */
const KNOWN_MAX = 50_000;

export function startUses({ sql, log, now, flushMs = FLUSH_MS }: UsesOptions): Uses {
  let waiting = new Map<string, Date>();
  const written = new Map<string, number>();

  function forgetOld(time: number): void {
    for (const [digest, at] of written) {
      // In the order of their notes: the first recent one ends the search.
      if (time - at < ONCE_MS && written.size <= KNOWN_MAX) return;
      written.delete(digest);
    }
  }

  async function write(): Promise<void> {
    forgetOld(now().getTime());
    if (waiting.size === 0) return;
    const uses = waiting;
    waiting = new Map();
    try {
      await saveUses(sql, uses);
    } catch (error) {
      // A time of use is not worth more than a line in the log.
      log.warn("tokens.uses_not_saved", { tokens: uses.size, error });
    }
  }

  let writing = Promise.resolve();
  function flush(): Promise<void> {
    return writing = writing.then(write);
  }
  const timer = setInterval(() => void flush(), flushMs);
  return {
    note(digest) {
      const at = now();
      const before = written.get(digest);
      if (before !== undefined && at.getTime() - before < ONCE_MS) return;
      written.delete(digest);
      written.set(digest, at.getTime());
      waiting.set(digest, at);
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
