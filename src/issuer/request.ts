/**
 * Requests to the issuer, independent of any framework.
 *
 * @module
 */
import type { Logger } from "../log.ts";

/** A request whose path begins with the issuer's. */
export interface IssuerRequest {
  method: string;
  /** Below the issuer's own path, with a leading slash: `/sign-up`. */
  path: string;
  query: URLSearchParams;
  headers: Headers;
  /** Bounded by whoever received it. */
  body: Uint8Array;
  /** Address of the client; null where the listener does not tell. */
  client: string | null;
  requestId: string;
  log: Logger;
}

/** Largest body that the issuer takes, in bytes. */
export const MAX_FORM_BYTES = 64 * 1024;

/** The value of the cookie `name`, or null. */
export function cookieOf(request: IssuerRequest, name: string): string | null {
  for (const pair of (request.headers.get("cookie") ?? "").split(";")) {
    const at = pair.indexOf("=");
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return null;
}

/**
 * The fields of a form body, each once; null when it is not a form in UTF-8, has a field twice, or
 * a text that cannot be stored.
 */
export function formOf(request: IssuerRequest): ReadonlyMap<string, string> | null {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) return null;
  const fields = new Map<string, string>();
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(request.body);
    for (const [name, value] of new URLSearchParams(text)) {
      if (fields.has(name) || value.includes("\0")) return null;
      fields.set(name, value);
    }
  } catch {
    return null;
  }
  return fields;
}
