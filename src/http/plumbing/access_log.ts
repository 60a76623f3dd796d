/**
 * One log line a request.
 *
 * @module
 */
import type { Context } from "hono";
import type { HttpEnv } from "../environment.ts";

/** What is asked for all the time, by machines that watch. */
export const QUIET_PATHS: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);
const MAX_PATH = 512;

/**
 * Logs `http.request` with method, path, status, milliseconds, address and user when the response's
 * headers are ready. The query is left out: clients put secrets there. Health checks and figures are
 * `debug`.
 */
export function logAccess(c: Context<HttpEnv>, ms: number): void {
  const { path } = c.req;
  const caller = c.get("caller");
  const client = c.get("client");
  c.get("log")[QUIET_PATHS.has(path) ? "debug" : "info"]("http.request", {
    method: c.req.raw.method,
    path: path.slice(0, MAX_PATH),
    status: c.res.status,
    ms: Math.round(ms),
    ...(client === null ? {} : { client }),
    ...(caller ? { user: caller.username } : {}),
  });
}
