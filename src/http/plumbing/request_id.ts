/**
 * Gives every request an id, and finds out which address it comes from.
 *
 * @module
 */
import type { Context } from "hono";
import type { Logger } from "../../log.ts";
import { currentTraceId, readParent, TRACEPARENT } from "../../tracing.ts";
import type { HttpEnv } from "../environment.ts";
import { clientAddress, trustedProxies } from "./client_address.ts";

const WELL_FORMED = /^[\w.-]{1,64}$/;

/**
 * Sets `requestId`, `log` and `client`. A well-formed `X-Request-Id` is taken over, so that a proxy's log and
 * this one can be read together.
 */
export function identifier(
  options: { log: Logger; newId: () => string; trustedProxies: readonly string[] },
): (c: Context<HttpEnv>) => void {
  const trusted = trustedProxies(options.trustedProxies);
  return function identify(c) {
    const sent = c.req.header("x-request-id");
    const id = sent !== undefined && WELL_FORMED.test(sent) ? sent : options.newId();
    c.set("requestId", id);
    // Where nothing is traced here, lines can still be found by the caller's trace.
    const parent = currentTraceId() === null ? readParent(c.req.header(TRACEPARENT)) : null;
    const traced = parent === null ? {} : { trace_id: parent.traceId };
    c.set("log", options.log.child({ request_id: id, ...traced }));
    c.set("caller", null);
    const remote = c.env?.remoteAddr?.hostname;
    const forwarded = c.req.header("x-forwarded-for") ?? null;
    c.set("client", remote === undefined ? null : clientAddress(remote, forwarded, trusted));
  };
}
