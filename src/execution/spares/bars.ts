/**
 * Servers of which no spare session is made for a while, as the last ones were no good.
 *
 * @module
 */

/** Who is barred, and for how long. */
export interface Bars {
  /** Bars a server: for longer each time, until one of its spare sessions was used. */
  bar(server: string): void;
  isBarred(server: string): boolean;
  /** Forgets what there was against the server. */
  clear(server: string): void;
}

const FIRST_MS = 5 * 60_000;
const LONGEST_MS = 4 * 60 * 60_000;
/** Servers that are remembered. */
const SERVERS_MAX = 1000;

/** Nobody is barred yet; `now` in milliseconds. */
export function createBars(now: () => number): Bars {
  const entries = new Map<string, { until: number; ms: number }>();
  return {
    bar(server) {
      const before = entries.get(server)?.ms ?? FIRST_MS / 2;
      const ms = Math.min(2 * before, LONGEST_MS);
      entries.delete(server);
      entries.set(server, { until: now() + ms, ms });
      if (entries.size > SERVERS_MAX) entries.delete(entries.keys().next().value!);
    },
    isBarred: (server) => (entries.get(server)?.until ?? -Infinity) > now(),
    clear: (server) => void entries.delete(server),
  };
}
