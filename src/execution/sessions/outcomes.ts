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
import type { CallOutcome, EndReason } from "../interpreters/types.ts";

const ENDED: Record<EndReason, string> = {
  closed: "The session was ended while the call ran",
  timeout: "The call was stopped, and the session with it, because it ran too long",
  memory: "The session was ended because it used too much memory",
  processor: "The session was ended because its code went on computing while no call ran",
  crashed: "The session ended unexpectedly while the call ran",
  protocol: "The session was ended because its code broke the sandbox's protocol",
  shutdown: "The session was ended because the service is shutting down",
};

/** The error for parameters that a method does not take. */
export function invalidParams(id: RequestId, message: string): RpcResponse {
  return errorOf(id, { code: CODES.invalidParams, message });
}

export function responseOf(id: RequestId, outcome: CallOutcome): RpcResponse {
  if (outcome.kind === "result") {
    if (outcome.result.isObject) return resultOf(id, outcome.result);
    return errorOf(id, {
      code: CODES.internal,
      message: "The server gave a result that is not an object",
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
