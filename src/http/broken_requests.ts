/**
 * What a listener answers to bytes that never become a request: in the form of its other failures.
 *
 * @module
 */
import { METHODS, STATUS_CODES } from "node:http";
import { corsHeaders, REGISTRY_CORS } from "./plumbing/cors.ts";

/** What was wrong with the bytes. */
export type Fault = "malformed" | "unknown_method" | "headers_too_large" | "late" | "too_many";

/** A status that no feature answers with, so that it has no error code. */
export type FaultStatus = 400 | 408 | 429 | 431 | 501;

/** A fault as it is told. */
export interface BrokenRequest {
  status: FaultStatus;
  /** For people. */
  detail: string;
}

/** A fault as it is answered, with an id of its own. */
export interface RefusedRequest extends BrokenRequest {
  requestId: string;
}

/** The body of the answer, made from the status, what is told and the id. */
export type BrokenBody = (refused: RefusedRequest) => unknown;

/** The general envelope. Floods of such requests must not fill the log: their ids are not in it. */
export const generalBrokenBody: BrokenBody = ({ detail, requestId }) => ({
  status: "error",
  detail,
  request_id: requestId,
});

const FAULTS: Record<Fault, BrokenRequest> = {
  malformed: { status: 400, detail: "The request is not valid HTTP/1.1" },
  unknown_method: { status: 501, detail: "The request method is not supported" },
  headers_too_large: { status: 431, detail: "The request headers are too large" },
  late: { status: 408, detail: "The request did not arrive in time" },
  too_many: {
    status: 429,
    detail: "Too many connections from this IP address. Close some and try again",
  },
};

/** A request line whose method is a token (RFC 9112, 3). */
const REQUEST_LINE = /^([!#$%&'*+.^_`|~\w-]{1,64}) [!-~]{1,8192} HTTP\/1\.[01]\r?\n/;
const KNOWN_METHODS = new Set(METHODS);

/** Whether all of a request's first line is in order but that nobody knows its method. */
function hasUnknownMethod(error: unknown): boolean {
  const packet = error instanceof Error && "rawPacket" in error ? error.rawPacket : null;
  if (!(packet instanceof Uint8Array)) return false;
  const line = REQUEST_LINE.exec(new TextDecoder("latin1").decode(packet.subarray(0, 8300)));
  return line !== null && !KNOWN_METHODS.has(line[1]!);
}

/** Which fault an error of Node's parser is. */
export function faultOf(error: unknown): Fault {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return "late";
  if (code === "HPE_HEADER_OVERFLOW") return "headers_too_large";
  return hasUnknownMethod(error) ? "unknown_method" : "malformed";
}

/** Headers and body of the answer to `fault`. */
export function answerTo(fault: Fault, bodyOf: BrokenBody): {
  status: FaultStatus;
  headers: Record<string, string>;
  body: string;
} {
  const broken = FAULTS[fault];
  const requestId = crypto.randomUUID();
  return {
    status: broken.status,
    headers: {
      "Content-Type": "application/json",
      // No preflight comes here, so that what the execution endpoint allows besides is of no use.
      ...corsHeaders(REGISTRY_CORS),
      "Cache-Control": "no-store",
      "X-Request-Id": requestId,
      Connection: "close",
      ...(fault === "too_many" ? { "Retry-After": "5" } : {}),
    },
    body: JSON.stringify(bodyOf({ ...broken, requestId })),
  };
}

/** The answer to `fault` as bytes of a connection. */
export function rawAnswerTo(fault: Fault, bodyOf: BrokenBody): string {
  const { status, headers, body } = answerTo(fault, bodyOf);
  const length = new TextEncoder().encode(body).byteLength;
  const lines = Object.entries({ ...headers, "Content-Length": String(length) })
    .map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`;
}
