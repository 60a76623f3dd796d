/**
 * What a browser has begun elsewhere and comes back from: a sign-in here, or at another service. All
 * that binds the answer to this browser is made of one random secret in a cookie of its own, so two
 * tabs can do so at the same time.
 *
 * @module
 */
import type { PageContext } from "../layout/context.ts";
import {
  begunCookies,
  type BegunKind,
  type CookieName,
  type CookieScope,
  readCookie,
  setCookie,
} from "./cookies.ts";
import { derive, isSame, isSecret, randomSecret } from "./secrets.ts";

/** Seconds that it may take. */
const SECONDS = 600;
/** Of one browser and kind at a time. */
const PENDING_MAX = 5;
const APPEND = { append: true } as const;

/** What is made of the secret of one beginning. */
export interface Begun {
  secret: string;
  /** What the other side is given, and brings back. */
  state: string;
  /** What only this browser has until the end (RFC 7636). */
  verifier: string;
}

function begunOf(secret: string): Begun {
  return { secret, state: derive(secret, "state"), verifier: derive(secret, "verifier") };
}

function cookieOf(kind: BegunKind, state: string): CookieName {
  return `${kind}_${state.slice(0, 12)}`;
}

/** A new one, of which the browser does not know yet. */
export function newBegun(): Begun {
  return begunOf(randomSecret());
}

/** The challenge for a verifier (RFC 7636, S256). */
export async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  return new Uint8Array(digest).toBase64({ alphabet: "base64url", omitPadding: true });
}

/** Has the browser remember it, with a note that is not secret. */
export function rememberBegun(
  c: PageContext,
  cookies: CookieScope,
  kind: BegunKind,
  { secret, state }: Begun,
  note: string,
): void {
  for (const name of begunCookies(c, kind).slice(PENDING_MAX - 1)) {
    c.header("Set-Cookie", setCookie(cookies, name, ""), APPEND);
  }
  const text = new TextEncoder().encode(note)
    .toBase64({ alphabet: "base64url", omitPadding: true });
  const value = `${secret}.${text}`;
  c.header("Set-Cookie", setCookie(cookies, cookieOf(kind, state), value, SECONDS), APPEND);
}

/** What `state` belongs to, once; null when this browser did not begin it. */
export function takeBegun(
  c: PageContext,
  cookies: CookieScope,
  kind: BegunKind,
  state: string | undefined,
): Begun & { note: string } | null {
  if (!isSecret(state)) return null;
  const name = cookieOf(kind, state);
  const [secret, text] = (readCookie(c, cookies, name) ?? "").split(".");
  if (!isSecret(secret) || text === undefined) return null;
  if (!isSame(derive(secret, "state"), state)) return null;
  c.header("Set-Cookie", setCookie(cookies, name, ""), APPEND);
  let note = "";
  try {
    note = new TextDecoder().decode(Uint8Array.fromBase64(text, { alphabet: "base64url" }));
  } catch {
    // Changed by hand.
  }
  return { ...begunOf(secret), note };
}
