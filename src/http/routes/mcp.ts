/**
 * `/mcp`: hands requests to the execution side.
 *
 * @module
 */
import type { Transport } from "../../execution/transport/transport.ts";
import { type Operation, undescribed } from "../operation.ts";

/** MCP's endpoint, every method of it. */
export function mcpEndpoint(transport: Transport): Operation {
  return undescribed((c) =>
    transport.handle(c.req.raw, {
      clientAddress: c.get("client") ?? "unknown",
      requestId: c.get("requestId"),
    })
  );
}
