/**
 * `/mcp`: hands requests to the execution side.
 *
 * @module
 */
import type { Hono } from "hono";
import type { Transport } from "../../execution/transport/transport.ts";
import type { HttpEnv } from "../environment.ts";

/** Adds `/mcp`, every method of it, to `app`. */
export function addMcp(app: Hono<HttpEnv>, transport: Transport): void {
  app.all("/mcp", (c) =>
    transport.handle(c.req.raw, {
      clientAddress: c.get("client") ?? "unknown",
      requestId: c.get("requestId"),
    }));
}
