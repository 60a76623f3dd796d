/**
 * How a POST is answered: with one JSON body, or, where the client takes one, with an event stream
 * as soon as something is to be said before the result.
 *
 * @module
 */
import type { RpcResponse } from "../../protocol/json_rpc.ts";
import { jsonBytes } from "../../protocol/raw_json.ts";
import type { Clock } from "../clock.ts";
import type { Accepts } from "./content.ts";
import type { EventStream } from "../streams/event_stream.ts";
import { PATIENCE_MS } from "../limits.ts";
import type { Receiver } from "../streams/receiver.ts";
import { answerResponse, bytesOf, type Respond, streamResponse } from "./responses.ts";
import type { Streams } from "../streams/streams.ts";

export interface ReplyDeps {
  clock: Clock;
  accepts: Accepts;
  streams: Streams;
  respond: Respond;
  /** Whether streams begin with an empty event, which older clients cannot read. */
  isPrimed: () => boolean;
  headers: Record<string, string>;
  /** Whether the answer is a list, as the body was. */
  isBatch: boolean;
}

/** The answer to one POST with requests; takes what belongs to them meanwhile. */
export interface Reply extends Receiver {
  /** Resolves when it is known how the answer looks. */
  readonly response: Promise<Response>;
  /** The response to the request at this place of the body. */
  add(response: RpcResponse, place: number): void;
  /** Every request has its response. */
  finish(): void;
}

/** An answer that has not begun. */
export function createReply(deps: ReplyDeps): Reply {
  const { accepts, headers, respond } = deps;
  const { promise, resolve } = Promise.withResolvers<Response>();
  const answers: { response: RpcResponse; place: number }[] = [];
  let stream: EventStream | null = null;
  let finished = false;

  function begin(): EventStream {
    if (stream !== null) return stream;
    cancelTimer();
    stream = deps.streams.open();
    resolve(streamResponse(stream.connect(null, deps.isPrimed()), headers));
    for (const { response } of answers) stream.push(bytesOf(response));
    return stream;
  }

  // So that a long call survives a lost connection, and proxies that end silent ones.
  const cancelTimer = accepts.stream ? deps.clock.after(PATIENCE_MS, begin) : () => {};

  return {
    response: promise,
    canCarry: () => accepts.stream && !finished,
    send(message) {
      if (accepts.stream && !finished) begin().push(jsonBytes(message));
    },
    interrupt(retryMs) {
      // Without an id to come back with, the client would never get the rest.
      if (!accepts.stream || finished || !deps.isPrimed()) return;
      begin().interrupt(retryMs);
    },
    add(response, place) {
      if (stream === null) answers.push({ response, place });
      else stream.push(bytesOf(response));
    },
    finish() {
      finished = true;
      cancelTimer();
      if (stream === null && accepts.json) {
        const inOrder = answers.toSorted((a, b) => a.place - b.place).map((one) => one.response);
        resolve(answerResponse(deps.isBatch ? inOrder : inOrder[0]!, headers, respond));
      } else {
        begin().end();
      }
    },
  };
}
