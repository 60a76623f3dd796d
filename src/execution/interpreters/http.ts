/**
 * HTTP requests of a session, from its messages to the egress broker and back.
 *
 * @module
 */
import { MAX_HTTP_AT_ONCE } from "../../../workers/session/limits.ts";
import { type HttpOutcomeMeta, httpRequestMeta } from "../../../workers/session/bodies.ts";
import type { EgressOutcome, EgressRequest } from "../../egress/types.ts";
import { createBucket } from "./bucket.ts";
import type { SlotCommand, SlotMessage } from "./slot.ts";

type HttpMessage = Extract<SlotMessage, { type: "http" }>;

// Python cannot ask this fast, answers at once or not; JavaScript that means harm can.
const FLOOD = { capacity: 3000, perSecond: 500 };

/** The requests of one session. */
export interface HttpRelay {
  /** @throws {Error} When more are open than an honest worker sends. */
  handle(message: HttpMessage, body: Uint8Array): void;
  /** Gives up on those that are open: of one call, or all. */
  abort(call?: number): void;
}

function parseRequest(message: HttpMessage, body: Uint8Array): EgressRequest | null {
  let json: unknown;
  try {
    json = JSON.parse(message.meta);
  } catch {
    return null;
  }
  const meta = httpRequestMeta.safeParse(json);
  if (!meta.success) return null;
  return {
    method: meta.data.method,
    url: meta.data.url,
    headers: meta.data.headers,
    body: message.has_body ? body : null,
    connectTimeoutMs: meta.data.connect_timeout_ms,
    readTimeoutMs: meta.data.read_timeout_ms,
    verify: meta.data.verify,
  };
}

/** A relay that performs requests with `http` and answers with `send`. */
export function createHttpRelay(
  http: (request: EgressRequest, signal: AbortSignal) => Promise<EgressOutcome>,
  send: (command: SlotCommand, body?: readonly Uint8Array[], onRead?: () => void) => void,
): HttpRelay {
  const isBelowFlood = createBucket(FLOOD);
  const open = new Map<number, { call: number | null; controller: AbortController }>();

  function answer(request: number, outcome: EgressOutcome) {
    open.delete(request);
    const { body, release, ...meta } = outcome.kind === "response"
      ? outcome
      : { ...outcome, body: undefined, release: undefined };
    send(
      { type: "http_done", request, meta: JSON.stringify(meta satisfies HttpOutcomeMeta) },
      body === undefined ? [] : [body],
      release,
    );
  }

  return {
    handle(message, body) {
      if (open.has(message.request)) {
        throw new Error("The number of an HTTP request that is still open");
      }
      if (open.size >= MAX_HTTP_AT_ONCE) {
        throw new Error("Too many open HTTP requests");
      }
      if (!isBelowFlood()) throw new Error("Too many HTTP requests");
      const controller = new AbortController();
      open.set(message.request, { call: message.call, controller });
      const request = parseRequest(message, body);
      if (request === null) {
        const text = "The request has invalid fields";
        return answer(message.request, { kind: "error", error: "protocol", message: text });
      }
      http(request, controller.signal).then(
        (outcome) => answer(message.request, outcome),
        () => {
          const text = "The request failed because of an error in Berth";
          answer(message.request, { kind: "error", error: "protocol", message: text });
        },
      );
    },
    abort(call) {
      for (const entry of open.values()) {
        if (call === undefined || entry.call === call) entry.controller.abort();
      }
    },
  };
}
