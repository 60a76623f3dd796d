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

/** Cookies of what a browser has begun, by kind, with the path that they are sent to. */
const BEGUN = { sign_in: "/login", connect: "/connections" } as const;
export type BegunKind = keyof typeof BEGUN;

export type CookieName = "session" | "visitor" | "client" | `${BegunKind}_${string}`;

/** The kind of a cookie for something that was begun; null for the others. */
function begunKind(name: CookieName): BegunKind | null {
  const kinds = Object.keys(BEGUN) as BegunKind[];
  return kinds.find((kind) => name.startsWith(`${kind}_`)) ?? null;
}

/**
 * The cookie's full name. Where browsers can keep it to this host alone (https, at the root), they
 * are told so by the prefix.
 */
function nameOf({ base, secure }: CookieScope, name: CookieName): string {
  const full = `berth_web_${name}`;
  return secure && base === "" && begunKind(name) === null ? `__Host-${full}` : full;
}

function pathOf({ base }: CookieScope, name: CookieName): string {
  const kind = begunKind(name);
  return `${base}${kind === null ? "/" : BEGUN[kind]}`;
}

/** The value that the browser sent. */
export function readCookie(c: Context, scope: CookieScope, name: CookieName): string | undefined {
  return getCookie(c, nameOf(scope, name));
}

/** Names of the cookies of what the browser has begun. */
export function begunCookies(c: Context, kind: BegunKind): CookieName[] {
  const prefix = `berth_web_${kind}_`;
  return Object.keys(getCookie(c))
    .filter((name) => name.startsWith(prefix) && /^[\w-]{12}$/.test(name.slice(prefix.length)))
    .map((name) => name.slice("berth_web_".length)) as CookieName[];
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
