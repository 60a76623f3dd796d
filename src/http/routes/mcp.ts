/**
 * `/mcp`: hands requests to the execution side.
 *
 * @module
 */
import type { Respond } from "../../execution/transport/responses.ts";
import type { Transport } from "../../execution/transport/transport.ts";
import { ByteResponse } from "../kept/byte_response.ts";
import { type Operation, undescribed } from "../operation.ts";

const respondWithBytes: Respond = (content, init) => new ByteResponse(content, init);

/** MCP's endpoint, every method of it. */
export function mcpEndpoint(transport: Transport): Operation {
  return undescribed((c) =>
    transport.handle(c.req.raw, {
      clientAddress: c.get("client") ?? "unknown",
      requestId: c.get("requestId"),
      ...(c.env?.takesBytes === true ? { respond: respondWithBytes } : {}),
    })
  );
}
