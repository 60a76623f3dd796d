/**
 * `/mcp`: hands requests to the execution side.
 *
 * @module
 */
import type { Hono } from "hono";
import type { Transport } from "../../execution/transport.ts";
import type { HttpEnv } from "../environment.ts";
import { clientAddress, type TrustedProxies } from "../plumbing/client_address.ts";

/** What the route needs. */
export interface McpServices {
  transport: Transport;
  proxies: TrustedProxies;
}

/** Adds `/mcp`, every method of it, to `app`. */
export function addMcp(app: Hono<HttpEnv>, { transport, proxies }: McpServices): void {
  app.all("/mcp", (c) => {
    const remote = c.env?.remoteAddr?.hostname ?? "unknown";
    return transport.handle(c.req.raw, {
      clientAddress: clientAddress(remote, c.req.header("x-forwarded-for") ?? null, proxies),
      requestId: c.get("requestId"),
    });
  });
}
