/**
 * What listeners count of their requests.
 *
 * @module
 */
import { createHttpMetrics, type HttpMetrics } from "../../http/plumbing/count_requests.ts";

/** Requests of both listeners. */
export interface ListenerMetrics {
  registry: HttpMetrics;
  execution: HttpMetrics;
}

/** Nothing counted yet. */
export function createListenerMetrics(): ListenerMetrics {
  return { registry: createHttpMetrics(), execution: createHttpMetrics() };
}
