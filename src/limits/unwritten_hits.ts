/**
 * Counting requests while the database takes no writes: each node by itself, in memory, so that what
 * only reads goes on.
 *
 * @module
 */
import type { CountedHit, Hit } from "./gathered_hits.ts";
import type { WindowDeps } from "./window.ts";

/** Windows that are kept; beyond them all begin anew. */
const WINDOWS_MAX = 10_000;

interface Row {
  username: string | null;
  isAdmin: boolean;
  mark: string | null;
}

/**
 * A counter of hits of windows that are `seconds` long and begin with their first hit.
 *
 * @param elapsed Milliseconds of a clock that does not jump.
 */
export function countUnwritten(
  { sql }: Pick<WindowDeps, "sql">,
  seconds: number,
  elapsed: () => number = () => performance.now(),
): (hit: Hit) => Promise<CountedHit> {
  const windows = new Map<string, { since: number; count: number }>();

  function take(key: string) {
    const time = elapsed();
    const known = windows.get(key);
    if (known !== undefined && time - known.since < seconds * 1000) return known;
    if (windows.size >= WINDOWS_MAX) windows.clear();
    const begun = { since: time, count: 0 };
    windows.set(key, begun);
    return begun;
  }

  return async ({ key, max, subject }) => {
    const [row] = await sql<[Row]>`
      select username, is_admin as "isAdmin", mark from (select 1) as one
      left join catalogue on true left join users on subject = ${subject ?? ""}`;
    const window = take(key);
    const allowed = window.count < max;
    if (allowed) window.count++;
    const waitMs = window.since + seconds * 1000 - elapsed();
    const { username, isAdmin, mark } = row;
    return {
      taken: { allowed, remaining: max - window.count, waitMs },
      user: username === null || subject === null ? null : { subject, username, isAdmin },
      mark,
    };
  };
}
