/**
 * Responses of the execution endpoint.
 *
 * @module
 */
import type { AppError } from "../../errors.ts";
import { CODES, errorOf, type RequestId, type RpcResponse } from "../../protocol/json_rpc.ts";
import { joined, jsonBytes } from "../../protocol/raw_json.ts";
import type { Accepts } from "./content.ts";
import { rpcCodeOf } from "../failures.ts";
import { RESULT_MAX_BYTES } from "../limits.ts";

/** The envelope of a failure, as the HTTP side makes it for both listeners. */
export type FailureOf = (
  error: AppError,
  requestId: string,
) => { status: number; body: unknown; headers: Record<string, string> };

/** The JSON text of a response; one beyond the limit is replaced by an error that names the limit. */
export function bytesOf(response: RpcResponse): Uint8Array<ArrayBuffer> {
  const bytes = jsonBytes(response);
  if (bytes.byteLength <= RESULT_MAX_BYTES) return bytes;
  return jsonBytes(errorOf(response.id, {
    code: CODES.server,
    message: `The result is larger than the limit of ${RESULT_MAX_BYTES} bytes`,
    data: { reason: "result_too_large", limit: RESULT_MAX_BYTES },
  }));
}

function encodeAll(responses: RpcResponse[]): Uint8Array<ArrayBuffer> {
  const parts: (string | Uint8Array)[] = [];
  let size = 0;
  for (const response of responses) {
    const bytes = bytesOf(response);
    size += bytes.byteLength;
    const fits = size <= RESULT_MAX_BYTES;
    const part = fits ? bytes : bytesOf(errorOf(response.id, {
      code: CODES.server,
      message: `The results of the batch are larger than the limit of ${RESULT_MAX_BYTES} bytes`,
    }));
    parts.push(parts.length === 0 ? "[" : ",", part);
  }
  return joined([...parts, "]"]);
}

/** Makes a response of a body that is there as a whole. */
export type Respond = (
  content: Uint8Array<ArrayBuffer>,
  init: { status: number; headers: Record<string, string> },
) => Response;

/** For listeners that take any response and know none of bytes. */
export const plainRespond: Respond = (content, init) => new Response(content, init);

/** The response with one answer, or with those of a batch, as JSON. */
export function answerResponse(
  answer: RpcResponse | RpcResponse[],
  headers: Record<string, string> = {},
  respond = plainRespond,
): Response {
  return respond(Array.isArray(answer) ? encodeAll(answer) : bytesOf(answer), {
    status: 200,
    headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
  });
}

/** The response whose body is a stream of events. */
export function streamResponse(
  body: BodyInit,
  headers: Record<string, string> = {},
): Response {
  return new Response(body, {
    status: 200,
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-store, no-transform",
      // A proxy that buffers would keep what is said until the end.
      "x-accel-buffering": "no",
      ...headers,
    },
  });
}

/** The response with one answer, for a client that takes `accepts`. */
export function singleResponse(answer: RpcResponse, accepts: Accepts): Response {
  if (accepts.json) return answerResponse(answer);
  return streamResponse(joined(["event: message\ndata: ", bytesOf(answer), "\n\n"]));
}

/** What a failing request is answered: its status, and one JSON-RPC error with the envelope. */
export function failureResponse(
  failureOf: FailureOf,
  error: AppError,
  requestId: string,
  id: RequestId | null,
): Response {
  const failure = failureOf(error, requestId);
  const body = errorOf(id, {
    code: rpcCodeOf(error),
    message: error.message,
    data: failure.body,
  });
  return new Response(jsonBytes(body), {
    status: failure.status,
    headers: {
      ...failure.headers,
      "content-type": "application/json",
      "cache-control": "no-store",
    },
  });
}
