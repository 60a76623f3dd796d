/**
 * Limits of guessing and of what strangers may make the issuer do.
 *
 * @module
 */
import { addressBlock } from "../limits/address.ts";
import type { Rule } from "../limits/window.ts";
import type { IssuerDeps } from "./deps.ts";

const MINUTE = 60;
const HOUR = 3600;

/** Attempts of one kind. */
export const RULES = {
  /** Passwords for one address of mail from one network: no stranger shuts the owner out. */
  passwordHere: { max: 10, windowSeconds: 15 * MINUTE },
  /** Passwords for one address of mail, wherever from. */
  passwordAnywhere: { max: 100, windowSeconds: HOUR },
  /** Passwords from one network. */
  passwordNetwork: { max: 60, windowSeconds: HOUR },
  /** Messages to one address of mail. */
  mailTo: { max: 5, windowSeconds: HOUR },
  /** Messages asked for by one network. */
  mailNetwork: { max: 20, windowSeconds: HOUR },
  /** Links opened from one network. */
  link: { max: 60, windowSeconds: HOUR },
  /** Codes of devices entered from one network. */
  deviceCode: { max: 30, windowSeconds: HOUR },
  /** Sign-ins and devices begun from one network: each is stored. */
  begin: { max: 600, windowSeconds: HOUR },
  /** Requests for tokens from one network. */
  token: { max: 1200, windowSeconds: HOUR },
} as const satisfies Record<string, Rule>;

/** The name of a kind of attempt. */
export type RuleName = keyof typeof RULES;

/**
 * What attempts are counted by: an IPv4 address or an IPv6 /64 block; "unknown" without an address.
 */
export function networkOf(client: string | null): string {
  return client === null ? "unknown" : addressBlock(client);
}

/**
 * Counts one attempt under each rule, for what it is named with; stops at the first that is
 * exhausted.
 *
 * @returns Seconds to wait, or null when the attempt may be made.
 */
export async function takeAttempt(
  deps: IssuerDeps,
  attempts: readonly (readonly [RuleName, ...string[]])[],
): Promise<number | null> {
  for (const [rule, ...of] of attempts) {
    const taken = await deps.attempts.take(`issuer ${rule} ${of.join(" ")}`, RULES[rule]);
    if (!taken.allowed) return Math.max(1, taken.retryAfterSeconds);
  }
  return null;
}

/** Forgets the attempts that {@link takeAttempt} counted under one rule. */
export async function clearAttempts(
  deps: IssuerDeps,
  [rule, ...of]: readonly [RuleName, ...string[]],
): Promise<void> {
  await deps.attempts.clear(`issuer ${rule} ${of.join(" ")}`);
}
