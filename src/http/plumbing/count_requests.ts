/**
 * Counts the requests of a listener, for its operator.
 *
 * @module
 */
import type { MiddlewareHandler } from "hono";
import { createHistogram, type Histogram, observe } from "../../metrics.ts";
import type { HttpEnv } from "../environment.ts";

/** Requests of a listener since its start. */
export interface HttpMetrics {
  /** How many were answered, by method, then by status. */
  requests: Map<string, Map<number, number>>;
  /** How long it took until the response's headers were ready. */
  seconds: Histogram;
}

/** Nothing counted yet. */
export function createHttpMetrics(): HttpMetrics {
  return { requests: new Map(), seconds: createHistogram() };
}

// Others are whatever somebody sends: the figures must not grow with them.
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Counts every request, whatever becomes of it. */
export function countRequests(metrics: HttpMetrics): MiddlewareHandler<HttpEnv> {
  return async function countRequests(c, next) {
    const start = performance.now();
    await next();
    const sent = c.req.raw.method;
    const method = METHODS.has(sent) ? sent : "other";
    const statuses = metrics.requests.get(method) ?? new Map<number, number>();
    metrics.requests.set(method, statuses);
    statuses.set(c.res.status, (statuses.get(c.res.status) ?? 0) + 1);
    observe(metrics.seconds, (performance.now() - start) / 1000);
  };
}
