/**
 * Headers that keep browsers from doing more with a response than showing it.
 *
 * @module
 */
import type { MiddlewareHandler } from "hono";
import type { HttpEnv } from "../environment.ts";
import type { CorsOptions } from "./cors.ts";

const YEAR_SECONDS = 31_536_000;

const DEFAULTS = {
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Cache-Control": "no-store",
};

/**
 * Adds the headers. A handler's own `Content-Security-Policy` and `Cache-Control` stay; without
 * them nothing may be loaded and nothing stored.
 */
export function securityHeaders(
  options: { publicUrl: string; cors: CorsOptions | null },
): MiddlewareHandler<HttpEnv> {
  const https = options.publicUrl.startsWith("https:");
  const fixed = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    // As "CORS" has it: where it is on, other origins may read everything here.
    "Cross-Origin-Resource-Policy": options.cors === null ? "same-origin" : "cross-origin",
    ...(https ? { "Strict-Transport-Security": `max-age=${YEAR_SECONDS}` } : {}),
  };
  return async function securityHeaders(c, next) {
    await next();
    for (const [name, value] of Object.entries(fixed)) c.res.headers.set(name, value);
    for (const [name, value] of Object.entries(DEFAULTS)) {
      if (!c.res.headers.has(name)) c.res.headers.set(name, value);
    }
  };
}
