/**
 * Responses of the execution endpoint.
 *
 * @module
 */
import type { AppError } from "../errors.ts";
import { CODES, errorOf, type RequestId, type RpcResponse } from "../protocol/json_rpc.ts";
import type { AnswerType } from "./content.ts";
import { rpcCodeOf } from "./failures.ts";
import { RESULT_MAX_BYTES } from "./limits.ts";

const ENCODER = new TextEncoder();

/** The envelope of a failure, as the HTTP side makes it for both listeners. */
export type FailureOf = (
  error: AppError,
  requestId: string,
) => { status: number; body: unknown; headers: Record<string, string> };

/** The bytes of a response; one beyond the limit is replaced by an error that names the limit. */
function encode(response: RpcResponse): Uint8Array<ArrayBuffer> {
  const bytes = ENCODER.encode(JSON.stringify(response));
  if (bytes.byteLength <= RESULT_MAX_BYTES) return bytes;
  const error = {
    code: CODES.server,
    message: `The result is over ${RESULT_MAX_BYTES} bytes, which is the limit`,
    data: { reason: "result_too_large", limit: RESULT_MAX_BYTES },
  };
  return ENCODER.encode(JSON.stringify(errorOf(response.id, error)));
}

function join(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const size = parts.reduce((sum, part) => sum + part.byteLength, 0);
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}

function encodeAll(responses: RpcResponse[]): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for (const response of responses) {
    const bytes = encode(response);
    size += bytes.byteLength;
    const fits = size <= RESULT_MAX_BYTES;
    const part = fits ? bytes : encode(errorOf(response.id, {
      code: CODES.server,
      message: `The results of the batch are over ${RESULT_MAX_BYTES} bytes, which is the limit`,
    }));
    parts.push(ENCODER.encode(parts.length === 0 ? "[" : ","), part);
  }
  return join([...parts, ENCODER.encode("]")]);
}

/** The response with one answer, or with those of a batch. */
export function answerResponse(
  answer: RpcResponse | RpcResponse[],
  type: AnswerType,
  headers: Record<string, string> = {},
): Response {
  const bytes = Array.isArray(answer) ? encodeAll(answer) : encode(answer);
  const stream = type === "stream";
  const body = stream
    ? join([ENCODER.encode("event: message\ndata: "), bytes, ENCODER.encode("\n\n")])
    : bytes;
  return new Response(body, {
    status: 200,
    headers: {
      "content-type": stream ? "text/event-stream" : "application/json",
      "cache-control": "no-store",
      ...headers,
    },
  });
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
  return new Response(JSON.stringify(body), {
    status: failure.status,
    headers: {
      ...failure.headers,
      "content-type": "application/json",
      "cache-control": "no-store",
    },
  });
}
