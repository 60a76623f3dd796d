/**
 * Counts the requests of a listener, for its operator.
 *
 * @module
 */
import type { Context } from "hono";
import type { AppError, ErrorCode, LimitName } from "../../errors.ts";
import { createHistogram, type Histogram, observe } from "../../metrics.ts";
import type { HttpEnv } from "../environment.ts";

/** Requests of a listener since its start. */
export interface HttpMetrics {
  /** How many were answered, by method, then by status. */
  requests: Map<string, Map<number, number>>;
  /** Failures, by their code. */
  failures: Map<ErrorCode, number>;
  /** Requests that a limit refused. */
  limited: Map<LimitName, number>;
  /** How long it took until the response's headers were ready. */
  seconds: Histogram;
}

/** Nothing counted yet. */
export function createHttpMetrics(): HttpMetrics {
  return {
    requests: new Map(),
    failures: new Map(),
    limited: new Map(),
    seconds: createHistogram(),
  };
}

// Others are whatever somebody sends: the figures must not grow with them.
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Counts an answered request, whatever became of it. */
export function countRequest(metrics: HttpMetrics, c: Context<HttpEnv>, ms: number): void {
  const sent = c.req.raw.method;
  const method = METHODS.has(sent) ? sent : "other";
  let statuses = metrics.requests.get(method);
  if (statuses === undefined) metrics.requests.set(method, statuses = new Map());
  statuses.set(c.res.status, (statuses.get(c.res.status) ?? 0) + 1);
  observe(metrics.seconds, ms / 1000);
}

/** Adds to the figures of its code, and of the limit that it comes from. */
export function countFailure({ failures, limited }: HttpMetrics, { code, limit }: AppError): void {
  failures.set(code, (failures.get(code) ?? 0) + 1);
  if (limit !== null) limited.set(limit, (limited.get(limit) ?? 0) + 1);
}
