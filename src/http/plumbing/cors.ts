/**
 * Cross-origin access: any origin, on every response (specification, "CORS"). Neither listener
 * accepts cookies, so an allowed origin gains nothing that a direct request would not have.
 *
 * @module
 */
import type { Context } from "hono";
import type { HttpEnv } from "../environment.ts";

/** Header names that a listener allows and exposes. */
export interface CorsOptions {
  allowHeaders: readonly string[];
  exposeHeaders: readonly string[];
  /** Beginning of further names that are allowed when they are asked for. */
  allowPrefix?: string;
}

/** The registry listener's. */
export const REGISTRY_CORS: CorsOptions = {
  allowHeaders: ["Content-Type", "Authorization"],
  exposeHeaders: ["ETag", "Link", "Location", "Retry-After", "RateLimit", "RateLimit-Policy"],
};

/** The execution listener's. */
export const EXECUTION_CORS: CorsOptions = {
  allowHeaders: [
    ...REGISTRY_CORS.allowHeaders,
    "Mcp-Session-Id",
    "MCP-Protocol-Version",
    "Last-Event-ID",
    "Mcp-Server-Environment",
  ],
  allowPrefix: "mcp-server-env-",
  // A client in a browser needs the challenge, to find out where to sign in.
  exposeHeaders: ["Mcp-Session-Id", "WWW-Authenticate"],
};

const METHODS = "GET, POST, PUT, DELETE, OPTIONS";
const PREFLIGHT_SECONDS = "600";

/** The headers of every response of a listener. */
export function corsHeaders(options: CorsOptions): Record<string, string> {
  return {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": METHODS,
    "Access-Control-Allow-Headers": options.allowHeaders.join(", "),
    "Access-Control-Expose-Headers": options.exposeHeaders.join(", "),
  };
}

const ASKED_MAX = 100;

/** Names of a preflight that begin as they may. */
function askedNames(asked: string | undefined, prefix: string | undefined): string[] {
  if (asked === undefined || prefix === undefined) return [];
  return asked.split(",").slice(0, ASKED_MAX).map((name) => name.trim().toLowerCase())
    .filter((name) => name.startsWith(prefix) && /^[a-z0-9-]{1,160}$/.test(name));
}

/** The answer to every `OPTIONS` request. */
export function preflight(): Response {
  const headers = { "Access-Control-Max-Age": PREFLIGHT_SECONDS, Allow: METHODS };
  return new Response(null, { status: 204, headers });
}

/** Adds to an answer the names that its preflight asks for and that begin as they may. */
export function allowAskedNames(c: Context<HttpEnv>, { allowPrefix }: CorsOptions): void {
  const asked = askedNames(c.req.header("access-control-request-headers"), allowPrefix);
  if (asked.length > 0) c.res.headers.append("Access-Control-Allow-Headers", asked.join(", "));
}
