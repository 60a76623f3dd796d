/**
 * MCP's Streamable HTTP transport on `/mcp?name=<server>`: from a request to a response, without
 * a web framework. Lenient towards the specification's own clients, who send few headers.
 *
 * @module
 */
import type { AppError } from "../../errors.ts";
import { isPrimed } from "../../protocol/revisions.ts";
import { clientOf } from "../admission/clients.ts";
import {
  eventUnknown,
  methodNotAvailable,
  sessionHasStream,
  sessionIdMissing,
  toAppError,
  tokenMissing,
} from "../failures.ts";
import { Elsewhere } from "../nodes/types.ts";
import { atOwner } from "./at_owner.ts";
import { checkTakesStream } from "./content.ts";
import { checkRevisionHeader, serverName, sessionId } from "./headers.ts";
import { count, post } from "./post.ts";
import { failureResponse, plainRespond, streamResponse } from "./responses.ts";
import type { Exchange, TransportContext, TransportDeps } from "./types.ts";

/** Answers requests to the execution endpoint. */
export interface Transport {
  /** Never rejects. */
  handle(request: Request, context: TransportContext): Promise<Response>;
}

const MISDIRECTED = 421;
const NO_BODY = { "cache-control": "no-store" };

export function createTransport(deps: TransportDeps): Transport {
  return {
    async handle(request, context) {
      const exchange: Exchange = {
        request,
        requestId: context.requestId,
        respond: context.respond ?? plainRespond,
        client: clientOf(null, context.clientAddress),
        address: context.clientAddress,
        body: null,
        id: null,
        forwarded: context.forwarded ?? null,
      };
      try {
        return await route(deps, exchange, context);
      } catch (error) {
        if (error instanceof Elsewhere) return new Response(null, { status: MISDIRECTED });
        const known = toAppError(error);
        context.onFailure?.(known);
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
    throw methodNotAvailable(method);
  }
  await identify(deps, exchange, context);
  if (method === "POST") return await post(deps, exchange);
  count(deps, exchange, 1);
  const answer = method === "GET" ? listen : remove;
  return await atOwner(deps, exchange, () => answer(deps, exchange));
}

/** Finds out who calls. Another scheme than Bearer is no token. */
async function identify(
  deps: TransportDeps,
  exchange: Exchange,
  context: TransportContext,
): Promise<void> {
  if (exchange.forwarded !== null) {
    exchange.client = exchange.forwarded.client;
    return;
  }
  const authorization = exchange.request.headers.get("authorization");
  if (authorization === null || !/^bearer(\s|$)/i.test(authorization)) {
    if (deps.authentication === "optional") return;
    throw tokenMissing();
  }
  try {
    const { userId, isAdmin = false } = await deps.authenticate(authorization);
    exchange.client = clientOf(userId, context.clientAddress, { isAdmin });
  } catch (error) {
    deps.calls.take(exchange.client, 1);
    throw error;
  }
}

async function remove(deps: TransportDeps, exchange: Exchange): Promise<Response> {
  const { request, client, forwarded } = exchange;
  const name = serverName(request);
  const id = sessionId(request);
  if (id === null) throw sessionIdMissing();
  await deps.sessions.end({ id, name, client, isForwarded: forwarded !== null });
  return new Response(null, { status: 204, headers: NO_BODY });
}

/** GET: what belongs to no request, or the rest of a stream that a client lost. */
async function listen(deps: TransportDeps, exchange: Exchange): Promise<Response> {
  const { request, client, forwarded } = exchange;
  checkTakesStream(request.headers.get("accept"));
  const name = serverName(request);
  const id = sessionId(request);
  checkRevisionHeader(request);
  if (id === null) throw sessionIdMissing();
  const key = { id, name, client, isForwarded: forwarded !== null };
  const { session, streams, hasArrived } = await deps.sessions.listen(key);
  const primed = isPrimed(session.revision);
  const lastEventId = request.headers.get("last-event-id");
  const found = lastEventId === null ? null : streams.find(lastEventId);
  if (found !== null) return streamResponse(found.stream.connect(found.after, primed));
  // Events of another node are gone with it; the session goes on.
  if (lastEventId !== null && !hasArrived) throw eventUnknown();
  if (streams.standalone.isConnected) throw sessionHasStream();
  return streamResponse(streams.standalone.connect(null, primed));
}
