/**
 * One HTTP exchange over a connected socket, through undici's client: no redirect is followed,
 * nothing is decompressed, and what the server sends is bounded in size and time.
 *
 * @module
 */
import type net from "node:net";
import { Client, type Dispatcher } from "undici";
import { type AnswerBody, collectBody } from "./answer_body.ts";
import {
  ANSWER_HEADERS_MAX_BYTES,
  ANSWER_MAX_BYTES,
  ANSWER_PIECES_MAX,
  ANSWER_WIRE_MAX_BYTES,
  INTERIM_MAX,
  PIECE_COST_BYTES,
  PIECES_AT_ONCE,
} from "./session_limits.ts";
import type { PreparedRequest } from "./request_check.ts";
import type { EgressErrorKind, EgressFailure, EgressOutcome } from "./types.ts";

/** How long to wait and for how much. */
export interface ExchangeOptions {
  readTimeoutMs: number;
  signal: AbortSignal;
  /** Asks for room to hold this many more bytes; a text says why there is none. */
  hold: (bytes: number) => string | null;
  /** Counts what came over the wire; a text says that it is too much. */
  count?: (bytes: number) => string | null;
}

type Finish = (outcome: EgressOutcome) => void;

function fail(error: EgressErrorKind, message: string): EgressFailure {
  return { kind: "error", error, message };
}

const TOO_LARGE = fail(
  "too_large",
  `The response is larger than the limit of ${ANSWER_MAX_BYTES} bytes`,
);
const TOO_LONG = fail(
  "too_large",
  `The response is larger than the limit of ${ANSWER_WIRE_MAX_BYTES} bytes before decompression`,
);
const TOO_MANY_PIECES = fail(
  "too_large",
  `The response arrived in too many chunks: the limit is ${ANSWER_PIECES_MAX}`,
);
const SWITCHED = fail("protocol", "The server switched to another protocol");
const TOO_MANY_INTERIM = fail(
  "protocol",
  `The server sent too many interim responses: the limit is ${INTERIM_MAX}`,
);

/** Sends `request` over `socket` and reads the answer. The socket is closed in every case. */
export async function exchange(
  request: PreparedRequest,
  socket: net.Socket,
  options: ExchangeOptions,
): Promise<EgressOutcome> {
  const { promise, resolve } = Promise.withResolvers<EgressOutcome>();
  let used = false;
  const client = new Client(`${request.secure ? "https" : "http"}://${request.authority}`, {
    connect: (_options, callback) => {
      const first = !used;
      used = true;
      // A second connection would be to an address that nothing has checked. undici overlooks
      // a callback that comes before its connector has returned.
      queueMicrotask(() =>
        first
          ? callback(null, socket)
          : callback(new Error("The connection was already used"), null)
      );
    },
    pipelining: 1,
    maxHeaderSize: ANSWER_HEADERS_MAX_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  limitWire(socket, options, resolve);
  const timer = startReadTimer(options.readTimeoutMs, resolve);
  const cancel = () => resolve(fail("protocol", "The request was cancelled"));
  options.signal.addEventListener("abort", cancel, { once: true });
  if (options.signal.aborted) cancel();
  try {
    client.dispatch({
      path: request.path,
      method: request.method,
      headers: request.headers,
      body: request.body,
      reset: true,
    }, readAnswer(request, options, timer, resolve));
    return await promise;
  } catch {
    return fail("protocol", "The request could not be sent");
  } finally {
    options.signal.removeEventListener("abort", cancel);
    timer.stop();
    await client.destroy();
    socket.destroy();
  }
}

/**
 * Counts what comes off the wire: extensions of chunks, trailers and interim answers are not part of
 * the body, and without an end.
 */
function limitWire(socket: net.Socket, { count }: ExchangeOptions, finish: Finish): void {
  const read = socket.read.bind(socket);
  let total = 0;
  let over = false;
  socket.read = (size?: number) => {
    const chunk = over ? null : read(size);
    if (chunk === null) return null;
    total += chunk.length;
    const refusal = count?.(chunk.length) ?? null;
    over = total > ANSWER_WIRE_MAX_BYTES || refusal !== null;
    if (over) finish(refusal === null ? TOO_LONG : fail("limit", refusal));
    return over ? null : chunk;
  };
}

interface ReadTimer {
  restart(): void;
  stop(): void;
}

function startReadTimer(ms: number, finish: Finish): ReadTimer {
  let last = performance.now();
  let timer = setTimeout(check, ms);
  // Called for each piece, so the timer itself is left alone.
  function check() {
    const left = last + ms - performance.now();
    if (left <= 0) finish(fail("read_timeout", `No response within ${ms / 1000} s`));
    else timer = setTimeout(check, left);
  }
  return {
    restart() {
      last = performance.now();
    },
    stop: () => clearTimeout(timer),
  };
}

function readAnswer(
  request: PreparedRequest,
  options: ExchangeOptions,
  timer: ReadTimer,
  finish: Finish,
): Dispatcher.DispatchHandler {
  const body = collectBody();
  let interim = 0;
  let head = { status: 0, reason: "", headers: [] as [string, string][] };
  return {
    // undici tells old handlers from new ones by this method's presence.
    onRequestStart() {},
    onRequestUpgrade(_controller, _status, _headers, socket) {
      socket.destroy();
      finish(SWITCHED);
    },
    onResponseStart(controller, status, headers, reason) {
      timer.restart();
      if (status < 200) {
        if (++interim > INTERIM_MAX) finish(TOO_MANY_INTERIM);
        return;
      }
      head = { status, reason: reason ?? "", headers: pairs(controller.rawHeaders) };
      const length = Number(headers["content-length"]);
      if (request.method !== "HEAD" && length > ANSWER_MAX_BYTES) finish(TOO_LARGE);
    },
    onResponseData(controller, chunk) {
      const refusal = refusePiece(body, chunk, options);
      if (refusal !== null) return finish(refusal);
      body.add(chunk);
      timer.restart();
      if (body.pieces % PIECES_AT_ONCE !== 0) return;
      // Others have their turn: a server that sends byte by byte would keep this process busy.
      controller.pause();
      setTimeout(() => controller.resume());
    },
    onResponseEnd() {
      finish({ kind: "response", ...head, body: body.join() });
    },
    onResponseError(_controller, error) {
      finish(explain(error as NodeJS.ErrnoException, head.status !== 0));
    },
  };
}

function pairs(raw: Dispatcher.DispatchController["rawHeaders"]): [string, string][] {
  if (!Array.isArray(raw)) return [];
  const texts = raw.map((part) => typeof part === "string" ? part : part.toString("latin1"));
  return Array.from({ length: texts.length / 2 }, (_, i) => [texts[2 * i]!, texts[2 * i + 1]!]);
}

/** Why a further piece of the body is not taken; null when it is. */
function refusePiece(
  body: AnswerBody,
  piece: Uint8Array,
  options: ExchangeOptions,
): EgressFailure | null {
  if (body.size + piece.byteLength > ANSWER_MAX_BYTES) return TOO_LARGE;
  if (body.pieces >= ANSWER_PIECES_MAX) return TOO_MANY_PIECES;
  const refusal = options.hold(piece.byteLength) ?? options.count?.(PIECE_COST_BYTES) ?? null;
  return refusal === null ? null : fail("limit", refusal);
}

function explain(error: NodeJS.ErrnoException, begun: boolean): EgressFailure {
  if (error.code === "UND_ERR_HEADERS_OVERFLOW") {
    const limit = `the limit of ${ANSWER_HEADERS_MAX_BYTES} bytes`;
    return fail("too_large", `The response headers are larger than ${limit}`);
  }
  if (error.code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH") {
    return fail("truncated", "The response is shorter than its Content-Length");
  }
  if (error.name === "HTTPParserError" || error.code?.startsWith("HPE_")) {
    return fail("protocol", "The response is not valid HTTP");
  }
  // undici's own text for an answer 101 that nobody asked for.
  if (error.message === "bad upgrade") return SWITCHED;
  return fail(
    begun ? "truncated" : "protocol",
    "The server closed the connection before the response was complete",
  );
}
