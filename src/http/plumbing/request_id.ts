/**
 * Gives every request an id, and finds out which address it comes from.
 *
 * @module
 */
import type { Context } from "hono";
import type { Logger } from "../../log.ts";
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
    c.set("log", options.log.child({ request_id: id }));
    c.set("caller", null);
    const remote = c.env?.remoteAddr?.hostname;
    const forwarded = c.req.header("x-forwarded-for") ?? null;
    c.set("client", remote === undefined ? null : clientAddress(remote, forwarded, trusted));
  };
}
