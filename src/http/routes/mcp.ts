/**
 * `/mcp`: hands requests to the execution side.
 *
 * @module
 */
import type { Context } from "hono";
import type { AppError } from "../../errors.ts";
import type { Respond } from "../../execution/transport/responses.ts";
import type { Transport } from "../../execution/transport/transport.ts";
import type { TransportContext } from "../../execution/transport/types.ts";
import type { Gate } from "../../execution/nodes/gate.ts";
import { NODE_HEADER } from "../../execution/nodes/passport.ts";
import { ByteResponse } from "../kept/byte_response.ts";
import type { HttpEnv } from "../environment.ts";
import { pathNotFound } from "../failures.ts";
import { countFailure, type HttpMetrics } from "../plumbing/count_requests.ts";
import { type Operation, undescribed } from "../operation.ts";

const respondWithBytes: Respond = (content, init) => new ByteResponse(content, init);

function contextOf(c: Context<HttpEnv>, metrics: HttpMetrics | undefined): TransportContext {
  return {
    clientAddress: c.get("client") ?? "unknown",
    requestId: c.get("requestId"),
    ...(metrics === undefined
      ? {}
      : { onFailure: (error: AppError) => countFailure(metrics, error) }),
    ...(c.env?.takesBytes === true ? { respond: respondWithBytes } : {}),
  };
}

/** MCP's endpoint, every method of it. */
export function mcpEndpoint(
  { transport, metrics }: { transport: Transport; metrics?: HttpMetrics },
): Operation {
  return undescribed((c) => transport.handle(c.req.raw, contextOf(c, metrics)));
}

/** The same for other nodes. To everybody else there is nothing. */
export function nodeEndpoint(
  { transport, metrics }: { transport: Transport; metrics?: HttpMetrics },
  gate: Gate,
): Operation {
  return undescribed(async (c) => {
    const forwarded = await gate.admit(c.req.raw);
    if (forwarded === null) throw pathNotFound();
    const response = await transport.handle(c.req.raw, { ...contextOf(c, metrics), forwarded });
    response.headers.set(NODE_HEADER, forwarded.node);
    return response;
  });
}
