/**
 * Limits of requests to the registry: so many an hour for each user, and for each address without a
 * valid token.
 *
 * @module
 */
import type { User } from "../identity/users.ts";
import { addressBlock } from "./address.ts";
import {
  type Rule,
  takeHit,
  type Taken,
  takenOf,
  type TakenRow,
  type WindowDeps,
  windowKey,
} from "./window.ts";

/** Length of the windows. */
export const WINDOW_SECONDS = 3600;

/** Requests an hour (`RATE_LIMIT_PUBLIC`, `RATE_LIMIT_AUTHENTICATED`). */
export interface RequestRules {
  public: number;
  authenticated: number;
}

/** What became of a request, and by which limit. */
export interface RequestQuota extends Taken, Rule {
  policy: keyof RequestRules;
}

/** Counts requests. */
export interface RequestLimits {
  /** Counts for an address, null if it is not known. */
  takeAddress(address: string | null): Promise<RequestQuota>;
  /**
   * Counts for the user of a checked token. The user's row comes along, so that a request needs no
   * second round trip to know its caller; null when there is none yet.
   */
  takeUser(subject: string): Promise<{ quota: RequestQuota; user: User | null }>;
}

/** See {@link RequestLimits}. */
export function createRequestLimits(deps: WindowDeps, rules: RequestRules): RequestLimits {
  function quotaOf(policy: keyof RequestRules, taken: Taken): RequestQuota {
    return { policy, max: rules[policy], windowSeconds: WINDOW_SECONDS, ...taken };
  }
  return {
    async takeAddress(address) {
      const key = `address ${address === null ? "unknown" : addressBlock(address)}`;
      const rule = { max: rules.public, windowSeconds: WINDOW_SECONDS };
      return quotaOf("public", await takeHit(deps, key, rule));
    },
    async takeUser(subject) {
      const key = await windowKey(`user ${subject}`);
      const [row] = await deps.sql<[TakenRow & { username: string | null; isAdmin: boolean }]>`
        select taken.*, username, is_admin as "isAdmin"
        from take_rate(${key}, ${rules.authenticated}, ${WINDOW_SECONDS}, ${deps.now?.() ?? null})
          as taken
        left join users on subject = ${subject}`;
      const { username, isAdmin } = row;
      return {
        quota: quotaOf("authenticated", takenOf(row)),
        user: username === null ? null : { subject, username, isAdmin },
      };
    },
  };
}
