/**
 * Beginning a sign-in.
 *
 * @module
 */
import type { PageContext } from "../layout/context.ts";
import { challengeOf, newBegun, rememberBegun, takeBegun } from "../session/begun.ts";
import type { CookieScope } from "../session/cookies.ts";
import { derive } from "../session/secrets.ts";
import type { SignInProvider } from "./provider.ts";

/** Where the provider sends the browser back to. */
export const CALLBACK_PATH = "/login/callback";

/** A sign-in that the browser has begun. */
export interface PendingSignIn {
  nonce: string;
  verifier: string;
  /** Path to go on at. */
  returnTo: string;
}

/** `path` if it leads to a page of this listener: no other host, no line break. */
export function safePath(path: string | undefined, fallback: string): string {
  if (path === undefined || path.length > 1000 || !/^\/(?![/\\])[\x21-\x7e]*$/.test(path)) {
    return fallback;
  }
  return path.includes("\\") ? fallback : path;
}

/** Sets the cookie of a new sign-in; returns where the browser is to go. */
export async function beginSignIn(
  c: PageContext,
  provider: SignInProvider,
  { cookies, redirectUri, returnTo }: {
    cookies: CookieScope;
    redirectUri: string;
    returnTo: string;
  },
): Promise<string> {
  const begun = newBegun();
  const url = await provider.authorizationUrl({
    redirectUri,
    state: begun.state,
    nonce: derive(begun.secret, "nonce"),
    challenge: await challengeOf(begun.verifier),
  });
  rememberBegun(c, cookies, "sign_in", begun, returnTo);
  return url;
}

/** The sign-in that `state` belongs to, once; null when this browser did not start it. */
export function takeSignIn(
  c: PageContext,
  cookies: CookieScope,
  state: string | undefined,
): PendingSignIn | null {
  const begun = takeBegun(c, cookies, "sign_in", state);
  if (begun === null) return null;
  return {
    nonce: derive(begun.secret, "nonce"),
    verifier: begun.verifier,
    returnTo: safePath(begun.note, `${cookies.base}/`),
  };
}
