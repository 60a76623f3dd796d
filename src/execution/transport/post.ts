/**
 * POST: messages of the client, one or, where the revision has batches, several.
 *
 * @module
 */
import { parseJson } from "../../protocol/json.ts";
import {
  CODES,
  errorOf,
  type Message,
  readMessage,
  type RequestId,
  type RpcError,
} from "../../protocol/json_rpc.ts";
import type { RawJson } from "../../protocol/raw_json.ts";
import { hasBatches, isPrimed } from "../../protocol/revisions.ts";
import { Elsewhere } from "../nodes/types.ts";
import { atOwner } from "./at_owner.ts";
import { acceptedAnswers, type Accepts, checkContentType, readBody } from "./content.ts";
import { environmentOf } from "../sessions/environment.ts";
import {
  batchTooLong,
  bodyNotJson,
  emptyBatch,
  invalidRequest,
  noBatches,
  sessionIdMissing,
} from "../failures.ts";
import { checkRevisionHeader, serverName, sessionId } from "./headers.ts";
import { BATCH_MAX, BODY_BYTES_PER_CALL } from "../limits.ts";
import { createReply, type Reply } from "./reply.ts";
import { singleResponse } from "./responses.ts";
import type { ClientSession } from "../sessions/session.ts";
import type { Intent, SessionKey } from "../sessions/types.ts";
import type { Exchange, TransportDeps } from "./types.ts";
import { forClientOf } from "./url_elicitation.ts";
import type { Streams } from "../streams/streams.ts";

/** What the client sent, and how it takes the answer. */
interface Post {
  deps: TransportDeps;
  exchange: Exchange;
  accepts: Accepts;
}

/** A message that is delivered: to be answered, or only taken. */
type Delivery =
  | { message: Exclude<Message, { kind: "invalid" }> }
  | { refusal: { id: RequestId | null; reason: string } };

const NO_BODY = { "cache-control": "no-store" };

/** Counts calls of a client; what was forwarded was counted where it came from. */
export function count({ calls }: TransportDeps, exchange: Exchange, number: number): void {
  if (exchange.forwarded === null) calls.take(exchange.client, number);
}

/** Answers a POST. The body's room is given back when every request has its answer. */
export async function post(deps: TransportDeps, exchange: Exchange): Promise<Response> {
  const { request } = exchange;
  count(deps, exchange, 1);
  const accepts = acceptedAnswers(request.headers.get("accept"));
  checkContentType(request.headers);
  const body = await readBody(request, deps.room);
  try {
    exchange.body = body.bytes;
    if (await exchange.forwarded?.isBody(body.bytes) === false) throw new Elsewhere(null);
    count(deps, exchange, Math.floor(body.bytes.byteLength / BODY_BYTES_PER_CALL));
    const parsed = await parseJson(body.bytes);
    if (!parsed.ok) throw bodyNotJson(parsed.reason);
    const given = { deps, exchange, accepts };
    const { response, done } = parsed.value.isList
      ? postBatch(given, [...parsed.value.items().take(BATCH_MAX + 1)])
      : postOne(given, parsed.value);
    done.then(body.release, body.release);
    return await response;
  } catch (error) {
    body.release();
    throw error;
  }
}

/** The response, and when nothing of the request is left to do. */
interface Answering {
  response: Promise<Response>;
  done: Promise<unknown>;
}

function postOne(given: Post, value: RawJson): Answering {
  const { deps, exchange } = given;
  const message = readMessage(value);
  if (message.kind === "request" || message.kind === "invalid") exchange.id = message.id;
  if (message.kind === "invalid") throw invalidRequest(message.reason);
  const name = serverName(exchange.request);
  const id = sessionId(exchange.request);
  const isInitialize = message.kind === "request" && message.method === "initialize";
  if (!isInitialize) checkRevisionHeader(exchange.request);
  if (id === null && !isInitialize) throw sessionIdMissing();
  const { client, forwarded } = exchange;
  const environment = environmentOf(exchange.request.headers, message);
  const key: SessionKey = {
    id: id ?? deps.newId(),
    isNew: id === null,
    isForwarded: forwarded !== null,
    name,
    client,
    environment,
  };
  const intent = isInitialize ? "initialize" : message.kind === "request" ? "begin" : "existing";
  return deliverAll(given, key, intent, () => [{ message }], {
    isBatch: false,
    headers: isInitialize ? { "Mcp-Session-Id": key.id } : {},
    told: (error) => forClientOf(message, error, deps.newId),
  });
}

function postBatch(given: Post, values: RawJson[]): Answering {
  const { exchange } = given;
  const { request, client } = exchange;
  if (values.length === 0) throw emptyBatch();
  if (values.length > BATCH_MAX) throw batchTooLong(BATCH_MAX);
  count(given.deps, exchange, values.length - 1);
  const name = serverName(request);
  const id = sessionId(request);
  checkRevisionHeader(request);
  if (id === null) throw sessionIdMissing();
  const read = (session: ClientSession): Delivery[] => {
    if (!hasBatches(session.revision)) throw noBatches(session.revision);
    return values.map((value) => readMessage(value)).map((message) => {
      if (message.kind === "invalid") return { refusal: message };
      const isInitialize = message.kind === "request" && message.method === "initialize";
      if (!isInitialize) return { message };
      return { refusal: { id: message.id, reason: "initialize must not be part of a batch" } };
    });
  };
  const key = { id, name, client, isForwarded: exchange.forwarded !== null };
  return deliverAll(given, key, "existing", read, {
    isBatch: true,
    headers: {},
    told: (error) => error,
  });
}

/** Hands messages to the session; the response is there as soon as it is known how it looks. */
function deliverAll(
  { deps, exchange, accepts }: Post,
  key: SessionKey,
  intent: Intent,
  read: (session: ClientSession) => Delivery[],
  { told, ...shape }: {
    isBatch: boolean;
    headers: Record<string, string>;
    /** Why no session began, as this client is told it. */
    told: (error: RpcError) => RpcError;
  },
): Answering {
  const early = Promise.withResolvers<Response>();
  async function body(session: ClientSession, streams: Streams): Promise<Response> {
    const deliveries = read(session);
    if (!deliveries.some((one) => "refusal" in one || one.message.kind === "request")) {
      for (const delivery of deliveries) void deliver(session, delivery, null, 0);
      return new Response(null, { status: 202, headers: NO_BODY });
    }
    const { clock } = deps;
    const reply = createReply({
      clock,
      accepts,
      streams,
      respond: exchange.respond,
      isPrimed: () => isPrimed(session.revision),
      ...shape,
    });
    reply.response.then(early.resolve);
    await Promise.all(
      deliveries.map((delivery, place) => deliver(session, delivery, reply, place)),
    );
    reply.finish();
    return await reply.response;
  }
  const work = atOwner(deps, exchange, async () => {
    const used = await deps.sessions.use(key, intent, body);
    if (used.kind === "done") return used.value;
    return singleResponse(errorOf(exchange.id, told(used.error)), accepts);
  });
  return { response: Promise.race([early.promise, work]), done: work };
}

async function deliver(
  session: ClientSession,
  delivery: Delivery,
  reply: Reply | null,
  place: number,
): Promise<void> {
  if ("refusal" in delivery) {
    const { id, reason } = delivery.refusal;
    return reply?.add(errorOf(id, { code: CODES.invalidRequest, message: reason }), place);
  }
  const { message } = delivery;
  if (message.kind === "notification") return session.notify(message.method, message.params);
  if (message.kind === "response") return session.respond(message);
  if (reply !== null) reply.add(await session.answer(message, reply), place);
}
