/**
 * A pool of connections that is replaced when one of them is lost.
 *
 * The driver (postgres.js 3.4.9, its issues 1066, 1154 and 1208) keeps what it was about to write when a
 * connection closes: that place in the pool then never sends anything again, or throws where nobody can
 * catch it. Other pools have no such places.
 *
 * @module
 */
import type postgres from "postgres";

type Sql = postgres.Sql;

/**
 * Replacements that may follow each other at once, and how far apart they are beyond: while the database
 * is away, each attempt loses one.
 */
const AT_ONCE = 20;
const APART_MS = 50;
/** What a replaced pool still does may take so long. */
const END_SECONDS = 10;

/** What the driver throws when it writes to a connection that it has lost, in a timer of its own. */
export function isLostWrite(error: unknown): boolean {
  return error instanceof TypeError && (error.stack ?? "").includes("nextWrite");
}

/**
 * The pool of `open`, always the newest; `onLost` is to be called when one of its connections closes.
 * Who listens for notifications does so by a pool that stays: the driver sees to that one itself.
 */
export function renewedPool(open: (onLost: () => void) => Sql): Sql {
  const listener = open(() => {});
  const former = new Set<Promise<void>>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** As if replacements had been so far apart, when the last one was. */
  let spentUntil = -Infinity;
  let current = start();

  function start(): Sql {
    const pool = open(() => {
      // After its end all of them close.
      if (pool !== current || timer !== undefined) return;
      const wait = spentUntil - (AT_ONCE - 1) * APART_MS - performance.now();
      // At once where it may be: what is asked next must not get that place.
      if (wait <= 0) renew();
      else timer = setTimeout(renew, wait);
    });
    return pool;
  }

  function renew(): void {
    timer = undefined;
    spentUntil = Math.max(spentUntil, performance.now()) + APART_MS;
    const old = current;
    current = start();
    const ended = old.end({ timeout: END_SECONDS }).finally(() => former.delete(ended));
    former.add(ended);
  }

  async function end(options?: { timeout?: number }): Promise<void> {
    clearTimeout(timer);
    const last = current;
    await Promise.all([last.end(options), listener.end(options), ...former]);
  }

  return new Proxy(current, {
    apply: (_, self, values) => Reflect.apply(current, self, values),
    get(_, name) {
      if (name === "end") return end;
      return Reflect.get(name === "listen" ? listener : current, name);
    },
  });
}
