/**
 * MCP's Streamable HTTP transport on `/mcp?name=<server>`: from a request to a response, without
 * a web framework. Lenient towards the specification's own clients, who send few headers.
 *
 * @module
 */
import { AppError } from "../../errors.ts";
import { isPrimed } from "../../protocol/revisions.ts";
import { clientOf } from "../admission/clients.ts";
import { invalidRequest, toAppError } from "../failures.ts";
import { checkTakesStream } from "./content.ts";
import { checkRevisionHeader, missingSessionId, serverName, sessionId } from "./headers.ts";
import { post } from "./post.ts";
import { failureResponse, streamResponse } from "./responses.ts";
import type { Exchange, TransportContext, TransportDeps } from "./types.ts";

/** Answers requests to the execution endpoint. */
export interface Transport {
  /** Never rejects. */
  handle(request: Request, context: TransportContext): Promise<Response>;
}

const NO_BODY = { "cache-control": "no-store" };

export function createTransport(deps: TransportDeps): Transport {
  return {
    async handle(request, context) {
      const exchange: Exchange = {
        request,
        client: clientOf(null, context.clientAddress),
        id: null,
      };
      try {
        return await route(deps, exchange, context);
      } catch (error) {
        const known = toAppError(error);
        if (known.cause !== undefined && known.status >= 500) {
          deps.log.error("mcp.failed", { request_id: context.requestId, error: known.cause });
        }
        if (known.code === "forbidden") tellRefused(deps, exchange, context, known);
        return failureResponse(deps.failureOf, known, context.requestId, exchange.id);
      }
    },
  };
}

function tellRefused(
  deps: TransportDeps,
  { request, client }: Exchange,
  { requestId }: TransportContext,
  { details }: AppError,
): void {
  const { userId } = client;
  deps.onRefused?.({ server: serverName(request), userId, requestId, details });
}

async function route(
  deps: TransportDeps,
  exchange: Exchange,
  context: TransportContext,
): Promise<Response> {
  const { method } = exchange.request;
  if (method !== "POST" && method !== "GET" && method !== "DELETE") {
    throw new AppError("method_not_allowed", `${method} is not available on this endpoint`, {
      headers: { Allow: "GET, POST, DELETE" },
    });
  }
  await identify(deps, exchange, context);
  if (method === "POST") return await post(deps, exchange);
  deps.calls.take(exchange.client, 1);
  return method === "GET" ? await listen(deps, exchange) : await remove(deps, exchange);
}

/** Finds out who calls. Another scheme than Bearer is no token. */
async function identify(
  deps: TransportDeps,
  exchange: Exchange,
  context: TransportContext,
): Promise<void> {
  const authorization = exchange.request.headers.get("authorization");
  if (authorization === null || !/^bearer(\s|$)/i.test(authorization)) {
    if (deps.authentication === "optional") return;
    throw new AppError("missing_token", "The execution endpoint requires an access token", {
      details: { hint: "Send Authorization: Bearer <ACCESS_TOKEN>" },
      headers: { "WWW-Authenticate": "Bearer" },
    });
  }
  try {
    const { userId, isAdmin = false } = await deps.authenticate(authorization);
    exchange.client = clientOf(userId, context.clientAddress, { isAdmin });
  } catch (error) {
    deps.calls.take(exchange.client, 1);
    throw error;
  }
}

async function remove(deps: TransportDeps, { request, client }: Exchange): Promise<Response> {
  const name = serverName(request);
  const id = sessionId(request);
  if (id === null) throw missingSessionId();
  await deps.sessions.end({ id, name, client });
  return new Response(null, { status: 204, headers: NO_BODY });
}

/** GET: what belongs to no request, or the rest of a stream that a client lost. */
async function listen(deps: TransportDeps, { request, client }: Exchange): Promise<Response> {
  checkTakesStream(request.headers.get("accept"));
  const name = serverName(request);
  const id = sessionId(request);
  checkRevisionHeader(request);
  if (id === null) throw missingSessionId();
  const { session, streams } = await deps.sessions.listen({ id, name, client });
  const primed = isPrimed(session.revision);
  const lastEventId = request.headers.get("last-event-id");
  if (lastEventId !== null) {
    const found = streams.find(lastEventId);
    if (found === null) {
      throw invalidRequest("Last-Event-ID is unknown, or its events are no longer stored");
    }
    return streamResponse(found.stream.connect(found.after, primed));
  }
  if (streams.standalone.isConnected) {
    throw new AppError("conflict", "The session already has a stream. Close it or resume it");
  }
  return streamResponse(streams.standalone.connect(null, primed));
}
