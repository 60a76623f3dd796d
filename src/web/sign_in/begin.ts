/**
 * Beginning a sign-in. Everything that binds the answer to this browser is made of one random secret
 * in a cookie of its own, so nothing is stored, and two tabs can sign in at the same time.
 *
 * @module
 */
import type { PageContext } from "../layout/context.ts";
import {
  type CookieName,
  type CookieScope,
  pendingSignIns,
  readCookie,
  setCookie,
} from "../session/cookies.ts";
import { derive, isSame, isSecret, randomSecret } from "../session/secrets.ts";
import type { SignInProvider } from "./provider.ts";

/** Where the provider sends the browser back to. */
export const CALLBACK_PATH = "/login/callback";

const SECONDS = 600;
/** Sign-ins of one browser at a time. */
const PENDING_MAX = 5;
const APPEND = { append: true } as const;

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

function cookieOf(state: string): CookieName {
  return `sign_in_${state.slice(0, 12)}`;
}

async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  return new Uint8Array(digest).toBase64({ alphabet: "base64url", omitPadding: true });
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
  const secret = randomSecret();
  const state = derive(secret, "state");
  const url = await provider.authorizationUrl({
    redirectUri,
    state,
    nonce: derive(secret, "nonce"),
    challenge: await challengeOf(derive(secret, "verifier")),
  });
  for (const name of pendingSignIns(c).slice(PENDING_MAX - 1)) {
    c.header("Set-Cookie", setCookie(cookies, name, ""), APPEND);
  }
  const path = new TextEncoder().encode(returnTo)
    .toBase64({ alphabet: "base64url", omitPadding: true });
  c.header(
    "Set-Cookie",
    setCookie(cookies, cookieOf(state), `${secret}.${path}`, SECONDS),
    APPEND,
  );
  return url;
}

/** The sign-in that `state` belongs to, once; null when this browser did not start it. */
export function takeSignIn(
  c: PageContext,
  cookies: CookieScope,
  state: string | undefined,
): PendingSignIn | null {
  if (!isSecret(state)) return null;
  const name = cookieOf(state);
  const [secret, path] = (readCookie(c, cookies, name) ?? "").split(".");
  if (!isSecret(secret) || path === undefined) return null;
  if (!isSame(derive(secret, "state"), state)) return null;
  c.header("Set-Cookie", setCookie(cookies, name, ""), APPEND);
  let returnTo = "";
  try {
    returnTo = new TextDecoder().decode(Uint8Array.fromBase64(path, { alphabet: "base64url" }));
  } catch {
    // Changed by hand: the start page will do.
  }
  return {
    nonce: derive(secret, "nonce"),
    verifier: derive(secret, "verifier"),
    returnTo: safePath(returnTo, `${cookies.base}/`),
  };
}
