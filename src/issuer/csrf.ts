/**
 * Tokens in forms against requests that another site makes a browser send. The token is a MAC of a
 * random cookie, so that nobody who cannot read pages here can make one, and nothing is stored.
 *
 * @module
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { IssuerDeps } from "./deps.ts";
import { randomSecret } from "./digest.ts";
import { cookieOf, formOf, type IssuerRequest } from "./request.ts";

const COOKIE = "berth_form";
const COOKIE_SECONDS = 14 * 86_400;

export interface FormToken {
  /** Value of the field `csrf`. */
  token: string;
  /** `Set-Cookie` values that go with it. */
  cookies: string[];
}

function mac(key: string, value: string): string {
  return createHmac("sha256", key).update(`form\0${value}`).digest("base64url");
}

function isCookie(value: string | null): value is string {
  return value !== null && /^[\w-]{43}$/.test(value);
}

/** A token for the forms of the page that answers `request`. */
export async function formToken(deps: IssuerDeps, request: IssuerRequest): Promise<FormToken> {
  const { cookies: [key] } = await deps.keys.current();
  const sent = cookieOf(request, COOKIE);
  const value = isCookie(sent) ? sent : randomSecret();
  const { path, secure } = deps.address;
  const cookie = `${COOKIE}=${value}; Path=${path}; Max-Age=${COOKIE_SECONDS}; HttpOnly; ` +
    `SameSite=Lax${secure ? "; Secure" : ""}`;
  return { token: mac(key!, value), cookies: value === sent ? [] : [cookie] };
}

/** Whether the request comes from a page of this service, as far as the browser says. */
function isOwnOrigin(deps: IssuerDeps, request: IssuerRequest): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin") return false;
  const origin = request.headers.get("origin");
  // Pages here are served with "Referrer-Policy: no-referrer": browsers then send no other origin.
  if (origin === null || origin === "null") return true;
  if (origin === deps.address.origin) return true;
  // The listener checked the Host: it may name this machine in another way.
  return origin.replace(/^https?:\/\//, "") === request.headers.get("host");
}

/** The fields of a form of this service; null when it may have been forged, or is none. */
export async function checkedForm(
  deps: IssuerDeps,
  request: IssuerRequest,
): Promise<ReadonlyMap<string, string> | null> {
  if (!isOwnOrigin(deps, request)) return null;
  const form = formOf(request);
  const cookie = cookieOf(request, COOKIE);
  const sent = new TextEncoder().encode(form?.get("csrf") ?? "");
  if (form === null || !isCookie(cookie)) return null;
  const { cookies } = await deps.keys.current();
  const isRight = cookies.some((key) => {
    const expected = new TextEncoder().encode(mac(key, cookie));
    return expected.length === sent.length && timingSafeEqual(expected, sent);
  });
  return isRight ? form : null;
}
