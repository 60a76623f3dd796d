/**
 * Limits of requests to the registry: a number per hour for each user, and for each address without a
 * valid token.
 *
 * @module
 */
import type { User } from "../names/users.ts";
import { addressBlock } from "./address.ts";
import { rememberRefusals } from "./remembered_refusals.ts";
import {
  type Rule,
  secondsOf,
  takeHit,
  type Taken,
  takenOf,
  type TakenRow,
  type WindowDeps,
  windowKey,
} from "./window.ts";

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

export interface UserRequest {
  quota: RequestQuota;
  /** Null when there is none yet. */
  user: User | null;
}

export interface RequestLimits {
  /** Counts for an address, null if it is not known. */
  takeAddress(address: string | null): Promise<RequestQuota>;
  /**
   * Counts for the user of a checked token. The user's row comes along, so that a request needs no
   * second round trip to know its caller.
   */
  takeUser(subject: string): Promise<UserRequest>;
}

interface Counted {
  taken: Taken;
  user: User | null;
}

export function createRequestLimits(deps: WindowDeps, rules: RequestRules): RequestLimits {
  const refusals = rememberRefusals<Counted>(() => deps.now?.().getTime() ?? performance.now());

  async function countAddress(key: string): Promise<Counted> {
    const rule = { max: rules.public, windowSeconds: WINDOW_SECONDS };
    return { taken: await takeHit(deps, key, rule), user: null };
  }

  async function countUser(key: string, subject: string): Promise<Counted> {
    const [row] = await deps.sql<[TakenRow & { username: string | null; isAdmin: boolean }]>`
      select taken.*, username, is_admin as "isAdmin"
      from take_rate(${await windowKey(key)}, ${rules.authenticated}, ${WINDOW_SECONDS},
        ${deps.now?.() ?? null}) as taken
      left join users on subject = ${subject}`;
    const { username, isAdmin } = row;
    return { taken: takenOf(row), user: username === null ? null : { subject, username, isAdmin } };
  }

  function quotaOf(policy: keyof RequestRules, { allowed, remaining, waitMs }: Taken) {
    const rule = { max: rules[policy], windowSeconds: WINDOW_SECONDS };
    return { policy, ...rule, allowed, remaining, waitSeconds: secondsOf(waitMs) };
  }

  return {
    async takeAddress(address) {
      const key = `address ${address === null ? "unknown" : addressBlock(address)}`;
      const { taken } = await refusals.ask(key, () => countAddress(key));
      return quotaOf("public", taken);
    },
    async takeUser(subject) {
      const key = `user ${subject}`;
      const { taken, user } = await refusals.ask(key, () => countUser(key, subject));
      return { quota: quotaOf("authenticated", taken), user };
    },
  };
}
