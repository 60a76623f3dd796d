/**
 * What a listener answers to bytes that never become a request: in the form of its other failures.
 *
 * @module
 */
import { STATUS_CODES } from "node:http";
import { corsHeaders, REGISTRY_CORS } from "./plumbing/cors.ts";

/** What was wrong with the bytes. */
export type Fault = "malformed" | "headers_too_large" | "late" | "too_many";

/** A status that no feature answers with, so that it has no error code. */
export type FaultStatus = 400 | 408 | 429 | 431;

/** A fault as it is told. */
export interface BrokenRequest {
  status: FaultStatus;
  /** For people. */
  detail: string;
}

/** The body of the answer, made from the status and what is told. */
export type BrokenBody = (broken: BrokenRequest) => unknown;

/** The general envelope. Floods of such requests must not fill the log: their ids are not in it. */
export const generalBrokenBody: BrokenBody = ({ detail }) => ({
  status: "error",
  detail,
  request_id: crypto.randomUUID(),
});

const FAULTS: Record<Fault, BrokenRequest> = {
  malformed: { status: 400, detail: "The request is not valid HTTP/1.1" },
  headers_too_large: { status: 431, detail: "The request's headers are too large" },
  late: { status: 408, detail: "The request did not arrive in time" },
  too_many: { status: 429, detail: "Too many connections from this address: close some" },
};

/** Which fault an error of Node's parser is. */
export function faultOf(error: unknown): Fault {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return "late";
  return code === "HPE_HEADER_OVERFLOW" ? "headers_too_large" : "malformed";
}

/** Headers and body of the answer to `fault`. */
export function answerTo(fault: Fault, bodyOf: BrokenBody): {
  status: FaultStatus;
  headers: Record<string, string>;
  body: string;
} {
  const broken = FAULTS[fault];
  return {
    status: broken.status,
    headers: {
      "Content-Type": "application/json",
      // No preflight comes here, so that what the execution endpoint allows besides is of no use.
      ...corsHeaders(REGISTRY_CORS),
      "Cache-Control": "no-store",
      Connection: "close",
      ...(fault === "too_many" ? { "Retry-After": "5" } : {}),
    },
    body: JSON.stringify(bodyOf(broken)),
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
