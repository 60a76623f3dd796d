/**
 * `/mcp`: hands requests to the execution side.
 *
 * @module
 */
import type { Hono } from "hono";
import type { Transport } from "../../execution/transport.ts";
import type { ClientAddress } from "../client_address.ts";
import type { HttpEnv } from "../environment.ts";

/** What the route needs. */
export interface McpServices {
  transport: Transport;
  clientAddress: ClientAddress;
}

/** Adds `/mcp`, every method of it, to `app`. */
export function addMcp(app: Hono<HttpEnv>, { transport, clientAddress }: McpServices): void {
  app.all("/mcp", (c) =>
    transport.handle(c.req.raw, {
      clientAddress: clientAddress(c),
      requestId: c.get("requestId"),
    }));
}
