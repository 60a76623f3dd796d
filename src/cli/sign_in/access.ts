/**
 * The token that requests carry, refreshed before it ends.
 *
 * @module
 */
import type { CliContext } from "../context.ts";
import { CliError, EXIT, signedOut } from "../failure.ts";
import { changeCredential, type Credential, readCredential } from "./credentials.ts";
import { expiryOf, requestTokens } from "./grant.ts";
import { describeIssuer } from "./service.ts";

/** A token is refreshed this many milliseconds before it expires (specification, "Authentication"). */
export const REFRESH_BEFORE_MS = 300_000;

const ENDED = "Your sign-in has expired";

/** A token, and where it came from. */
export interface Access {
  token: string;
  source: "environment" | "login";
}

function isFresh(context: CliContext, { expires_at }: Credential): boolean {
  return expires_at - context.now() > REFRESH_BEFORE_MS;
}

/** A new token for `stored`; null when the issuer has ended the sign-in. */
async function renew(context: CliContext, stored: Credential): Promise<Credential | null> {
  const { issuer, client_id, refresh_token } = stored;
  if (issuer === null || client_id === null || refresh_token === null) return null;
  const { token_endpoint } = await describeIssuer(context, issuer);
  const outcome = await requestTokens(context, token_endpoint, {
    grant_type: "refresh_token",
    refresh_token,
    client_id,
  });
  if (outcome.kind === "error") {
    if (outcome.code === "invalid_grant") return null;
    throw new CliError(
      EXIT.failure,
      `The identity provider refused to refresh your sign-in (${outcome.code})`,
      {
        hint: "berth login",
      },
    );
  }
  const { tokens } = outcome;
  const token = tokens[stored.token];
  if (token === undefined) return null;
  return {
    ...stored,
    access_token: token,
    // A provider that does not rotate sends none: the old one goes on.
    refresh_token: tokens.refresh_token ?? refresh_token,
    expires_at: expiryOf(token, tokens.expires_in, context.now()),
  };
}

/**
 * Refreshes the sign-in at `registry` unless somebody was faster. One process at a time: a refresh
 * token works once, and using it again ends the whole sign-in.
 *
 * @param known The token that does not do any more.
 */
async function refresh(
  context: CliContext,
  registry: string,
  known: string,
): Promise<Credential | null> {
  return await changeCredential(context, registry, async (stored) => {
    if (stored === null || stored.access_token !== known) return stored;
    try {
      return await renew(context, stored);
    } catch (error) {
      // What is there still counts for some minutes, which may be longer than the outage.
      if (stored.expires_at > context.now()) return stored;
      throw error;
    }
  });
}

/**
 * The token for `registry`: `BERTH_TOKEN`, else what `berth login` stored; null without either.
 *
 * @throws {CliError} "signed out" when a sign-in is there but does not count any more.
 */
export async function accessTo(context: CliContext, registry: string): Promise<Access | null> {
  const variable = context.env("BERTH_TOKEN");
  if (variable !== undefined) return { token: variable.trim(), source: "environment" };
  let credential = await readCredential(context, registry);
  if (credential === null) return null;
  if (!isFresh(context, credential) && credential.refresh_token !== null) {
    credential = await refresh(context, registry, credential.access_token);
    if (credential === null) throw signedOut(ENDED);
  }
  if (credential.expires_at <= context.now()) throw signedOut(ENDED);
  return { token: credential.access_token, source: "login" };
}

/** Another token in place of `refused`, which the registry does not accept; null without one. */
export async function replaceRefused(
  context: CliContext,
  registry: string,
  refused: Access,
): Promise<Access | null> {
  if (refused.source !== "login") return null;
  const stored = await readCredential(context, registry);
  if (stored === null || stored.refresh_token === null) return null;
  const next = await refresh(context, registry, refused.token);
  if (next === null || next.access_token === refused.token) return null;
  return { token: next.access_token, source: "login" };
}
