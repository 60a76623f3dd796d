/**
 * Headers that keep browsers from doing more with a response than showing it.
 *
 * @module
 */
import type { CorsOptions } from "./cors.ts";

const YEAR_SECONDS = 31_536_000;

/** What a response has of these unless its handler says otherwise: nothing may be loaded or stored. */
export const DEFAULT_HEADERS: readonly (readonly [name: string, value: string])[] = [
  ["Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"],
  ["Cache-Control", "no-store"],
];

/** The headers of every response of a listener. */
export function securityHeaders(
  { publicUrl, cors }: { publicUrl: string; cors: CorsOptions | null },
): Record<string, string> {
  return {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    // As "CORS" has it: where it is on, other origins may read everything here.
    "Cross-Origin-Resource-Policy": cors === null ? "same-origin" : "cross-origin",
    ...(publicUrl.startsWith("https:")
      ? { "Strict-Transport-Security": `max-age=${YEAR_SECONDS}` }
      : {}),
  };
}
