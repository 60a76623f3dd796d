/**
 * Sliding windows in the database, so that every node counts alike: a log of the times of what was
 * let through. What is refused leaves no trace, so it costs its sender no more than the answer.
 *
 * @module
 */
import type { Queryable } from "../database/client.ts";

/** How much is allowed in how long. */
export interface Rule {
  max: number;
  windowSeconds: number;
}

/** What became of a hit. */
export interface Taken {
  allowed: boolean;
  /** How many more the window has room for. */
  remaining: number;
  /** Milliseconds until it has room for one more than now; more than 0. */
  waitMs: number;
}

/** What the windows of all nodes are kept in. */
export interface WindowDeps {
  sql: Queryable;
  /** A clock for tests; absent: that of the database, which all nodes share. */
  now?: (() => Date) | undefined;
}

/** Row of the function `take_rate`. */
export interface TakenRow {
  allowed: boolean;
  remaining: number;
  wait_ms: number;
}

/** The name of a window in the database: addresses and accounts are not to be read there. */
export async function windowKey(key: string): Promise<Uint8Array> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
  return new Uint8Array(digest);
}

/** `waitMs` for `Retry-After`. */
export function secondsOf(waitMs: number): number {
  return Math.ceil(waitMs / 1000);
}

/** As the rest of Berth names it. */
export function takenOf(row: TakenRow): Taken {
  return { allowed: row.allowed, remaining: row.remaining, waitMs: row.wait_ms };
}

/**
 * Counts a hit of `key` unless `rule.max` were let through in the last `rule.windowSeconds`: one
 * round trip, exact for any number of callers on any number of nodes at once. A key has a window of
 * its own for each length.
 */
export async function takeHit(deps: WindowDeps, key: string, rule: Rule): Promise<Taken> {
  const [row] = await deps.sql<[TakenRow]>`
    select * from take_rate(${await windowKey(key)}, ${rule.max}, ${rule.windowSeconds},
      ${deps.now?.() ?? null})`;
  return takenOf(row);
}

/** Empties every window of `key`. */
export async function clearHits(sql: Queryable, key: string): Promise<void> {
  await sql`select clear_rate(${await windowKey(key)})`;
}

/** Removes the windows that nothing is left in. */
export async function removeIdleWindows({ sql, now }: WindowDeps): Promise<void> {
  await sql`
    with gone as (
      delete from rate_windows
      where newest <= coalesce(${now?.() ?? null}::timestamptz, now())
        - make_interval(secs => seconds)
      returning id)
    delete from rate_hits using gone where window_id = gone.id`;
}
