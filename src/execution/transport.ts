/**
 * MCP's Streamable HTTP transport on `/mcp?name=<server>`: from a request to a response, without
 * a web framework. Lenient towards the specification's own clients, who send few headers.
 *
 * @module
 */
import { AppError } from "../errors.ts";
import type { Logger } from "../log.ts";
import { parseJson } from "../protocol/json.ts";
import {
  CODES,
  errorOf,
  type Message,
  readMessage,
  type RequestId,
  type RpcResponse,
} from "../protocol/json_rpc.ts";
import { hasBatches } from "../protocol/revisions.ts";
import { type CallLimit, type Client, clientOf } from "./clients.ts";
import {
  type AnswerType,
  answerType,
  type BodyRoom,
  checkContentType,
  readBody,
} from "./content.ts";
import { environmentOf } from "./environment.ts";
import { ExecutionError, toAppError } from "./failures.ts";
import {
  checkRevisionHeader,
  invalidRequest,
  missingSessionId,
  serverName,
  sessionId,
} from "./headers.ts";
import { BATCH_MAX, BODY_BYTES_PER_CALL } from "./limits.ts";
import { answerResponse, type FailureOf, failureResponse } from "./responses.ts";
import type { Session } from "./session.ts";
import type { SessionKey, Sessions } from "./sessions.ts";

/** What the transport needs. */
export interface TransportDeps {
  sessions: Sessions;
  calls: CallLimit;
  room: BodyRoom;
  /** The user of an `Authorization` header. @throws {AppError} With status 401. */
  authenticate: (authorization: string) => Promise<{ userId: string; isAdmin?: boolean }>;
  /** `required`: a request without a token is refused. */
  authentication: "optional" | "required";
  failureOf: FailureOf;
  newId: () => string;
  log: Logger;
  /** Told of each request that was refused by policy (403). */
  onRefused?: (refusal: RefusedExecution) => void;
}

/** A request that the scan policy refused. */
export interface RefusedExecution {
  server: string;
  /** Token subject; null without a token. */
  userId: string | null;
  requestId: string;
  /** As in the failure. */
  details: Record<string, string>;
}

/** What the HTTP side knows of a request. */
export interface RequestContext {
  /** Address of the client, behind trusted proxies the one they name. */
  clientAddress: string;
  requestId: string;
}

/** Answers requests to the execution endpoint. */
export interface Transport {
  /** Never rejects. */
  handle(request: Request, context: RequestContext): Promise<Response>;
}

const NO_BODY = { "cache-control": "no-store" };

/** A request on its way: `id` is set as soon as it is known, for the failure's answer. */
interface Exchange {
  request: Request;
  client: Client;
  id: RequestId | null;
}

/** The transport over `deps`. */
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
  { requestId }: RequestContext,
  { details }: AppError,
): void {
  const { userId } = client;
  deps.onRefused?.({ server: serverName(request), userId, requestId, details });
}

async function route(
  deps: TransportDeps,
  exchange: Exchange,
  context: RequestContext,
): Promise<Response> {
  const { method } = exchange.request;
  if (method !== "POST" && method !== "DELETE") {
    throw new AppError("method_not_allowed", `${method} is not available on this endpoint`, {
      headers: { Allow: "POST, DELETE" },
    });
  }
  await identify(deps, exchange, context);
  return method === "POST" ? await post(deps, exchange) : await remove(deps, exchange);
}

/** Finds out who calls. Another scheme than Bearer is no token. */
async function identify(
  deps: TransportDeps,
  exchange: Exchange,
  context: RequestContext,
): Promise<void> {
  const authorization = exchange.request.headers.get("authorization");
  if (authorization === null || !/^bearer(\s|$)/i.test(authorization)) {
    if (deps.authentication === "optional") return;
    throw new AppError("missing_token", "The execution endpoint requires a token", {
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
  deps.calls.take(client, 1);
  const name = serverName(request);
  const id = sessionId(request);
  if (id === null) throw missingSessionId();
  await deps.sessions.end({ id, name, client });
  return new Response(null, { status: 204, headers: NO_BODY });
}

async function post(deps: TransportDeps, exchange: Exchange): Promise<Response> {
  const { request, client } = exchange;
  deps.calls.take(client, 1);
  const type = answerType(request.headers.get("accept"));
  checkContentType(request.headers);
  const body = await readBody(request, deps.room);
  try {
    deps.calls.take(client, Math.floor(body.bytes.byteLength / BODY_BYTES_PER_CALL));
    return await answerBody(deps, exchange, body.bytes, type);
  } finally {
    body.release();
  }
}

async function answerBody(
  deps: TransportDeps,
  exchange: Exchange,
  bytes: Uint8Array,
  type: AnswerType,
): Promise<Response> {
  const { request, client } = exchange;
  const parsed = parseJson(bytes);
  if (!parsed.ok) throw new ExecutionError(CODES.parse, "invalid_request", parsed.reason);
  if (Array.isArray(parsed.value)) return await postBatch(deps, exchange, parsed.value, type);
  const message = readMessage(parsed.value);
  if (message.kind === "request" || message.kind === "invalid") exchange.id = message.id;
  if (message.kind === "invalid") throw invalidRequest(message.reason);
  const name = serverName(request);
  const given = sessionId(request);
  const initializing = message.kind === "request" && message.method === "initialize";
  if (!initializing) checkRevisionHeader(request);
  if (given === null && !initializing) throw missingSessionId();
  const environment = environmentOf(request.headers, message);
  const key: SessionKey = { id: given ?? deps.newId(), name, client, environment };
  const intent = initializing ? "initialize" : message.kind === "request" ? "begin" : "existing";
  const used = await deps.sessions.use(key, intent, (session) => deliver(session, message));
  if (used.kind === "raised") return answerResponse(errorOf(exchange.id, used.error), type);
  if (used.value === null) return new Response(null, { status: 202, headers: NO_BODY });
  const headers: Record<string, string> = initializing ? { "Mcp-Session-Id": key.id } : {};
  return answerResponse(used.value, type, headers);
}

/** Answers a request; takes anything else and answers null. */
async function deliver(session: Session, message: Message): Promise<RpcResponse | null> {
  if (message.kind === "request") return await session.answer(message);
  if (message.kind === "notification") session.notify(message.method, message.params);
  return null;
}

async function postBatch(
  deps: TransportDeps,
  { request, client }: Exchange,
  values: unknown[],
  type: AnswerType,
): Promise<Response> {
  if (values.length === 0) throw invalidRequest("A batch must have a message");
  if (values.length > BATCH_MAX) {
    throw invalidRequest(`A batch may have ${BATCH_MAX} messages, this one has ${values.length}`);
  }
  deps.calls.take(client, values.length - 1);
  const name = serverName(request);
  const id = sessionId(request);
  checkRevisionHeader(request);
  if (id === null) throw missingSessionId();
  const used = await deps.sessions.use({ id, name, client }, "existing", async (session) => {
    if (!hasBatches(session.revision)) {
      throw invalidRequest(`Batches are not part of MCP ${session.revision}: send one message`);
    }
    const answers = values.map(readMessage).map((message) => {
      if (message.kind === "invalid") return refuse(message.id, message.reason);
      if (message.kind === "request" && message.method === "initialize") {
        return refuse(message.id, "initialize may not be part of a batch");
      }
      return deliver(session, message);
    });
    return (await Promise.all(answers)).filter((answer) => answer !== null);
  });
  if (used.kind === "raised") return answerResponse(errorOf(null, used.error), type);
  return used.value.length === 0
    ? new Response(null, { status: 202, headers: NO_BODY })
    : answerResponse(used.value, type);
}

function refuse(id: RequestId | null, message: string): RpcResponse {
  return errorOf(id, { code: CODES.invalidRequest, message });
}
