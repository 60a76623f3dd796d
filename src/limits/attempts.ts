/**
 * Limits of guessing: how often somebody may try a password, a code or a token endpoint.
 *
 * @module
 */
import type { Sql } from "../database/client.ts";
import { clearHits, type Rule, secondsOf, takeHit } from "./window.ts";

/** Whether one more attempt may be made. */
export interface Attempt {
  allowed: boolean;
  /** Seconds to wait, for `Retry-After`; 0 when it is allowed. */
  retryAfterSeconds: number;
}

/** Counts attempts, of all nodes together. */
export interface Attempts {
  /**
   * Counts one attempt of `key` (say, `sign-in ada@example.com`, or `sign-in from 192.0.2.1`), at
   * most `rule.max` in any `rule.windowSeconds`. Refused ones do not count. Call it before the
   * check that it guards, so that attempts at the same time cannot slip through together.
   */
  take(key: string, rule: Rule): Promise<Attempt>;
  /** Forgets the attempts of `key`: a right password, say, is no guess. */
  clear(key: string): Promise<void>;
}

/** @param now A clock for tests; absent: that of the database, which all nodes share. */
export function createAttempts(sql: Sql, now?: () => Date): Attempts {
  // Keys of other limits are kept in the same table.
  const own = (key: string) => `attempt ${key}`;
  return {
    async take(key, rule) {
      const { allowed, waitMs } = await takeHit({ sql, now }, own(key), rule);
      return { allowed, retryAfterSeconds: allowed ? 0 : secondsOf(waitMs) };
    },
    clear: (key) => clearHits(sql, own(key)),
  };
}
