/**
 * From what a sandbox gives to the response that the client gets.
 *
 * @module
 */
import {
  CODES,
  errorOf,
  type RequestId,
  resultOf,
  type RpcResponse,
} from "../../protocol/json_rpc.ts";
import { RawJson } from "../../protocol/raw_json.ts";
import type { CallOutcome, EndReason } from "../interpreters/types.ts";

const ENDED: Record<EndReason, string> = {
  closed: "The session was closed during the call",
  timeout: "The session was ended because the call took too long",
  memory: "The session was ended because it used too much memory",
  processor: "The session was ended because its code used the processor between calls",
  crashed: "The session ended unexpectedly during the call",
  protocol: "The session was ended because it violated the sandbox protocol",
  shutdown: "The session was ended because Berth is shutting down",
  parked: "The session was parked during the call",
};

/** The error for parameters that a method does not take. */
export function invalidParams(id: RequestId, message: string): RpcResponse {
  return errorOf(id, { code: CODES.invalidParams, message });
}

/** Results that are looked into: errors of tools are short, and large results take time. */
const LOOKED_BYTES = 16 * 1024;

/** Whether a call of a tool failed: with an error, or with a result that says so. */
export function isFailure(response: RpcResponse): boolean {
  if ("error" in response) return true;
  const { result } = response;
  return result instanceof RawJson && result.bytes.length <= LOOKED_BYTES &&
    result.member("isError")?.text() === "true";
}

export function responseOf(id: RequestId, outcome: CallOutcome): RpcResponse {
  if (outcome.kind === "result") {
    if (outcome.result.isObject) return resultOf(id, outcome.result);
    return errorOf(id, {
      code: CODES.internal,
      message: "The server returned a result that is not an object",
    });
  }
  if (outcome.kind === "error") {
    const { code, message, data } = outcome;
    return errorOf(id, { code, message, ...(data === undefined ? {} : { data }) });
  }
  const detail = outcome.message === "" ? ENDED[outcome.reason] : outcome.message;
  return errorOf(id, {
    code: CODES.server,
    message: detail,
    data: { reason: "session_ended", ended: outcome.reason },
  });
}
