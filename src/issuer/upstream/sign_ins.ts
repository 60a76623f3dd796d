/**
 * Sign-ins that are on their way through another provider. Each works once, in the browser that
 * began it, for ten minutes.
 *
 * @module
 */
import type { Sql } from "../../database/client.ts";
import { sha256Hex } from "../digest.ts";

const LIFE_MS = 600_000;

/** Life of a sign-in, in seconds. */
export const LIFE_SECONDS: number = LIFE_MS / 1000;

export interface NewSignIn {
  /** Goes to the provider and comes back. */
  state: string;
  /** In a cookie of the browser. */
  browser: string;
  provider: string;
  /** The sign-in here that goes on afterwards. */
  interaction: string;
  nonce: string;
  verifier: string;
}

/** Keeps a sign-in that begins. */
export async function insertSignIn(sql: Sql, signIn: NewSignIn, now: Date): Promise<void> {
  await sql`
    insert into issuer_upstream_sign_ins
      (state, browser, provider, interaction, nonce, verifier, expires_at)
    values (${await sha256Hex(signIn.state)}, ${await sha256Hex(signIn.browser)},
      ${signIn.provider}, ${signIn.interaction}, ${signIn.nonce}, ${signIn.verifier},
      ${new Date(now.getTime() + LIFE_MS)})`;
}

/** What is known of a sign-in whose browser came back. */
export interface ReturnedSignIn {
  interaction: string;
  nonce: string;
  verifier: string;
}

/**
 * The sign-in with this state, for the browser and the provider that began it; null when there is
 * none. It is used up: the same state never comes back a second time.
 */
export async function takeSignIn(
  sql: Sql,
  { state, browser, provider }: Pick<NewSignIn, "state" | "browser" | "provider">,
  now: Date,
): Promise<ReturnedSignIn | null> {
  const [row] = await sql<ReturnedSignIn[]>`
    delete from issuer_upstream_sign_ins
    where state = ${await sha256Hex(state)} and browser = ${await sha256Hex(browser)}
      and provider = ${provider} and account_id is null and expires_at > ${now}
    returning interaction, nonce, verifier`;
  return row ?? null;
}

/** Keeps whom the provider named, until the browser is back at the sign-in here. */
export async function keepOutcome(
  sql: Sql,
  outcome: {
    ticket: string;
    browser: string;
    provider: string;
    interaction: string;
    account: string;
  },
  now: Date,
): Promise<void> {
  await sql`
    insert into issuer_upstream_sign_ins
      (state, browser, provider, interaction, nonce, verifier, account_id, expires_at)
    values (${await sha256Hex(outcome.ticket)}, ${await sha256Hex(outcome.browser)},
      ${outcome.provider}, ${outcome.interaction}, '', '', ${outcome.account},
      ${new Date(now.getTime() + LIFE_MS)})`;
}

/** The account that {@link keepOutcome} kept, once; null when there is none. */
export async function takeOutcome(
  sql: Sql,
  outcome: { ticket: string; browser: string; provider: string; interaction: string },
  now: Date,
): Promise<string | null> {
  const [row] = await sql<{ account_id: string }[]>`
    delete from issuer_upstream_sign_ins
    where state = ${await sha256Hex(outcome.ticket)}
      and browser = ${await sha256Hex(outcome.browser)} and provider = ${outcome.provider}
      and interaction = ${outcome.interaction} and account_id is not null
      and expires_at > ${now}
    returning account_id`;
  return row?.account_id ?? null;
}

/** Forgets what has expired. */
export async function sweepSignIns(sql: Sql, now: Date): Promise<void> {
  await sql`delete from issuer_upstream_sign_ins where expires_at <= ${now}`;
}
