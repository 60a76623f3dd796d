/**
 * Counts the calls of servers, behind the calls: each costs an addition in memory.
 *
 * @module
 */
import type { Sql } from "../../database/client.ts";
import type { Logger } from "../../log.ts";

export interface CallCounterOptions {
  sql: Sql;
  log: Logger;
  now: () => Date;
  /** Milliseconds between writes. */
  flushMs?: number;
}

/** Adds up calls by server and day, and writes the sums every few seconds. */
export interface CallCounter {
  /** Counts a call, and whether it failed. */
  note(server: string, failed: boolean): void;
  /** Writes what is not yet written. Never rejects. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const FLUSH_MS = 15_000;

/** Calls of a server in a day, and how many of them failed. */
interface Counted {
  calls: number;
  errors: number;
}

/** The day of a time, in UTC, as `2026-01-31`. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** A server that has been removed meanwhile is left out; its calls go with it. */
async function write(sql: Sql, day: string, calls: ReadonlyMap<string, Counted>): Promise<void> {
  const counted = [...calls].toSorted(([a], [b]) => a < b ? -1 : 1);
  await sql`
    insert into server_calls (server, day, calls, errors)
    select name, ${day}, counted.calls, counted.errors
    from unnest(
      ${counted.map(([server]) => server)}::text[],
      ${counted.map(([, { calls }]) => calls)}::bigint[],
      ${counted.map(([, { errors }]) => errors)}::bigint[]
    ) as counted (server, calls, errors) join servers on name = counted.server
    order by name
    on conflict (server, day) do update set
      calls = server_calls.calls + excluded.calls, errors = server_calls.errors + excluded.errors`;
}

export function startCallCounter(
  { sql, log, now, flushMs = FLUSH_MS }: CallCounterOptions,
): CallCounter {
  let days = new Map<string, Map<string, Counted>>();

  async function writeAll(): Promise<void> {
    const waiting = days;
    days = new Map();
    for (const [day, calls] of waiting) {
      try {
        await write(sql, day, calls);
      } catch (error) {
        // What is shown of a server's use may miss some calls; nothing depends on it.
        log.warn("usage.calls_not_saved", { servers: calls.size, error });
      }
    }
  }

  let writing = Promise.resolve();
  function flush(): Promise<void> {
    return writing = writing.then(writeAll);
  }
  const timer = setInterval(() => void flush(), flushMs);
  return {
    note(server, failed) {
      const day = dayOf(now());
      const calls = days.get(day) ?? new Map<string, Counted>();
      days.set(day, calls);
      const counted = calls.get(server) ?? { calls: 0, errors: 0 };
      calls.set(server, counted);
      counted.calls += 1;
      if (failed) counted.errors += 1;
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
