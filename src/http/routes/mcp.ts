/**
 * `/mcp`: hands requests to the execution side.
 *
 * @module
 */
import type { AppError } from "../../errors.ts";
import type { Respond } from "../../execution/transport/responses.ts";
import type { Transport } from "../../execution/transport/transport.ts";
import { ByteResponse } from "../kept/byte_response.ts";
import { countFailure, type HttpMetrics } from "../plumbing/count_requests.ts";
import { type Operation, undescribed } from "../operation.ts";

const respondWithBytes: Respond = (content, init) => new ByteResponse(content, init);

/** MCP's endpoint, every method of it. */
export function mcpEndpoint(
  { transport, metrics }: { transport: Transport; metrics?: HttpMetrics },
): Operation {
  const counting = metrics === undefined
    ? {}
    : { onFailure: (error: AppError) => countFailure(metrics, error) };
  return undescribed((c) =>
    transport.handle(c.req.raw, {
      clientAddress: c.get("client") ?? "unknown",
      requestId: c.get("requestId"),
      ...counting,
      ...(c.env?.takesBytes === true ? { respond: respondWithBytes } : {}),
    })
  );
}
