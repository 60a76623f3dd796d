/**
 * Limits of requests to the registry: a number per hour for each user, and for each address without a
 * valid token.
 *
 * @module
 */
import { isDatabaseFull } from "../database/errors.ts";
import type { User } from "../names/users.ts";
import { addressBlock } from "./address.ts";
import { type CountedHit, gatherHits, type Hit } from "./gathered_hits.ts";
import { rememberRefusals } from "./remembered_refusals.ts";
import { countUnwritten } from "./unwritten_hits.ts";
import { type Rule, secondsOf, type Taken, type WindowDeps } from "./window.ts";

/** Length of the windows. */
const WINDOW_SECONDS = 3600;

/** Requests an hour (`RATE_LIMIT_PUBLIC`, `RATE_LIMIT_AUTHENTICATED`). */
export interface RequestRules {
  public: number;
  authenticated: number;
}

/** What became of a request, and by which limit. */
export interface RequestQuota extends Rule {
  policy: keyof RequestRules;
  allowed: boolean;
  /** How many more are allowed now. */
  remaining: number;
  /** Seconds until one more than now is allowed; at least 1. */
  waitSeconds: number;
}

export interface CountedRequest {
  quota: RequestQuota;
  /** See {@link CountedHit.mark}. */
  mark: string | null;
}

export interface UserRequest extends CountedRequest {
  /** Null when there is none yet. */
  user: User | null;
}

export interface RequestLimits {
  /** Counts for an address, null if it is not known. */
  takeAddress(address: string | null): Promise<CountedRequest>;
  /**
   * Counts for the user of a checked token. The user's row comes along, so that a request needs no
   * second round trip to know its caller.
   */
  takeUser(subject: string): Promise<UserRequest>;
}

export function createRequestLimits(deps: WindowDeps, rules: RequestRules): RequestLimits {
  const refusals = rememberRefusals<CountedHit>(() => deps.now?.().getTime() ?? performance.now());
  const written = gatherHits(deps, WINDOW_SECONDS);
  const unwritten = countUnwritten(deps, WINDOW_SECONDS);

  async function count(hit: Hit): Promise<CountedHit> {
    try {
      return await written(hit);
    } catch (error) {
      if (!isDatabaseFull(error)) throw error;
      return await unwritten(hit);
    }
  }

  function quotaOf(policy: keyof RequestRules, { allowed, remaining, waitMs }: Taken) {
    const rule = { max: rules[policy], windowSeconds: WINDOW_SECONDS };
    return { policy, ...rule, allowed, remaining, waitSeconds: secondsOf(waitMs) };
  }

  return {
    async takeAddress(address) {
      const key = `address ${address === null ? "unknown" : addressBlock(address)}`;
      const hit = { key, max: rules.public, subject: null };
      const { taken, mark } = await refusals.ask(key, () => count(hit));
      return { quota: quotaOf("public", taken), mark };
    },
    async takeUser(subject) {
      const key = `user ${subject}`;
      const hit = { key, max: rules.authenticated, subject };
      const { taken, user, mark } = await refusals.ask(key, () => count(hit));
      return { quota: quotaOf("authenticated", taken), user, mark };
    },
  };
}
