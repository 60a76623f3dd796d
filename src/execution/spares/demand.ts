/**
 * How much servers are in demand: how often sessions of them began of late. Spare sessions follow it.
 *
 * @module
 */

/** Counts the starts of servers; older ones count less. */
export interface Demand {
  /** A session of the server began that a spare one could have been. */
  note(server: string): void;
  /** How many starts of late there were; 0 where nothing is known. */
  weight(server: string): number;
  /** Spare sessions that the server should have, as far as that goes by its starts. */
  worth(server: string): number;
  /** Whether a spare session of the server that waits already is worth its memory. */
  isKept(server: string): boolean;
  /** Servers that are worth a spare session, those in most demand first. */
  wanted(): string[];
  /** The server is no more, or another. */
  forget(server: string): void;
}

/** Milliseconds in which a start comes to count half. */
const HALF_LIFE_MS = 10 * 60_000;
/** Five starts within five minutes; in the long run, one every four. */
const IN_DEMAND = 4.1;
/** Milliseconds without a start after which no spare session waits any longer. */
const KEPT_MS = 10 * 60_000;
/** In so many milliseconds a spare session that was taken has a successor, on a busy machine. */
const SUCCESSION_MS = 10_000;
/** Servers that are remembered. */
const SERVERS_MAX = 1000;

interface Entry {
  weight: number;
  at: number;
}

/** Counts with the clock `now`, in milliseconds. */
export function createDemand(now: () => number): Demand {
  /** Those that began last are at the end. */
  const entries = new Map<string, Entry>();

  function weight(server: string): number {
    const entry = entries.get(server);
    return entry === undefined ? 0 : entry.weight * 2 ** ((entry.at - now()) / HALF_LIFE_MS);
  }

  function worth(server: string): number {
    const starts = weight(server);
    if (starts < IN_DEMAND) return 0;
    // What begins while a successor is on its way finds another.
    return 1 + Math.floor((starts * Math.LN2 * SUCCESSION_MS) / HALF_LIFE_MS);
  }

  return {
    note(server) {
      const entry = { weight: weight(server) + 1, at: now() };
      entries.delete(server);
      entries.set(server, entry);
      if (entries.size > SERVERS_MAX) entries.delete(entries.keys().next().value!);
    },
    weight,
    worth,
    isKept(server) {
      const entry = entries.get(server);
      return entry !== undefined && now() - entry.at < KEPT_MS;
    },
    wanted() {
      return [...entries.keys()].filter((server) => worth(server) > 0)
        .sort((a, b) => weight(b) - weight(a));
    },
    forget: (server) => void entries.delete(server),
  };
}
