/**
 * The cookies of the web application. The APIs never read any.
 *
 * @module
 */
import { getCookie } from "hono/cookie";
import type { Context } from "hono";

/** Where cookies hold, and whether only over encrypted connections. */
export interface CookieScope {
  /** Path of the public address, without a trailing slash. */
  base: string;
  secure: boolean;
}

/** The scope of cookies of the registry at `publicUrl`. */
export function cookieScope(publicUrl: string): CookieScope {
  const { pathname, protocol } = new URL(publicUrl);
  return { base: pathname.replace(/\/+$/, ""), secure: protocol === "https:" };
}

export type CookieName = "session" | "visitor" | "client" | `sign_in_${string}`;

/**
 * The cookie's full name. Where browsers can keep it to this host alone (https, at the root), they
 * are told so by the prefix.
 */
function nameOf({ base, secure }: CookieScope, name: CookieName): string {
  const full = `berth_web_${name}`;
  return secure && base === "" && !name.startsWith("sign_in_") ? `__Host-${full}` : full;
}

function pathOf({ base }: CookieScope, name: CookieName): string {
  return name.startsWith("sign_in_") ? `${base}/login` : `${base}/`;
}

/** The value that the browser sent. */
export function readCookie(c: Context, scope: CookieScope, name: CookieName): string | undefined {
  return getCookie(c, nameOf(scope, name));
}

/** Names of the sign-ins that the browser has begun. */
export function pendingSignIns(c: Context): CookieName[] {
  return Object.keys(getCookie(c))
    .map((name) => /^berth_web_(sign_in_[\w-]{12})$/.exec(name)?.[1])
    .filter((name) => name !== undefined) as CookieName[];
}

/**
 * A `Set-Cookie` value; an empty `value` removes the cookie.
 *
 * @param seconds Until it ends; absent: with the browser.
 */
export function setCookie(
  scope: CookieScope,
  name: CookieName,
  value: string,
  seconds?: number,
): string {
  const age = value === "" ? 0 : seconds;
  return `${nameOf(scope, name)}=${value}; Path=${pathOf(scope, name)}` +
    `${age === undefined ? "" : `; Max-Age=${age}`}; HttpOnly; SameSite=Lax` +
    `${scope.secure ? "; Secure" : ""}`;
}
