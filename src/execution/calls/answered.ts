/**
 * A request that a server's code answers, as operators see it: counted, traced, and told of.
 *
 * @module
 */
import { CODES, errorOf, type RpcResponse } from "../../protocol/json_rpc.ts";
import {
  currentTraceId,
  failSpan,
  inSpan,
  readParent,
  type SpanContext,
  TRACEPARENT,
} from "../../tracing.ts";
import type { Clock } from "../clock.ts";
import type { AnsweredCall, CallResult } from "./call.ts";
import type { CallOutcome } from "../interpreters/types.ts";
import { countCall, type ExecutionMetrics } from "../metrics.ts";
import { isFailure, responseOf } from "../sessions/outcomes.ts";
import type { ClientRequest } from "../sessions/request.ts";

export interface AnsweredDeps {
  clock: Clock;
  metrics: ExecutionMetrics;
  /** Told of each call of a tool that has ended. */
  onToolCall?: ((call: AnsweredCall) => void) | undefined;
}

/** Longest name of a tool that is taken note of. */
const TOOL_MAX_CHARS = 128;
/** With every character escaped. */
const TOOL_MAX_BYTES = 6 * TOOL_MAX_CHARS;
const PARENT_MAX_BYTES = 256;

/** What came of a request whose outcome is `outcome`, and whose answer is `response`. */
function resultOf(outcome: CallOutcome, response: RpcResponse, isTool: boolean): CallResult {
  if (outcome.kind === "ended") return outcome.reason === "timeout" ? "timeout" : "ended";
  if (outcome.kind === "error") return outcome.why ?? "error";
  if ("error" in response) return "error";
  return isTool && isFailure(response) ? "tool_error" : "ok";
}

/** What the operator may know of a request: the tool's name and the caller's trace. */
function readRequest({ method, params }: ClientRequest) {
  const { _meta: meta, name } = params.pick("_meta", "name");
  const parent = readParent(meta?.member(TRACEPARENT)?.string(PARENT_MAX_BYTES));
  if (method !== "tools/call") return { parent, tool: null };
  return { parent, tool: (name?.string(TOOL_MAX_BYTES) ?? "").slice(0, TOOL_MAX_CHARS) };
}

function startOf(server: string, method: string, tool: string | null, parent: SpanContext | null) {
  return {
    name: tool === null ? method : `${method} ${tool}`,
    isServer: true,
    parent,
    attributes: {
      "mcp.method.name": method,
      "berth.server": server,
      ...(tool === null ? {} : { "gen_ai.tool.name": tool }),
    },
  };
}

/**
 * Has `ask` put `request` to the code of `server`, and answers with what comes of it. Never rejects.
 */
export async function answered(
  deps: AnsweredDeps,
  server: string,
  request: ClientRequest,
  ask: () => Promise<CallOutcome>,
): Promise<RpcResponse> {
  const { clock, metrics, onToolCall } = deps;
  const { id, method } = request;
  const { parent, tool } = readRequest(request);
  return await inSpan(startOf(server, method, tool, parent), async (span) => {
    const startedAt = clock.date();
    const started = clock.now();
    let response: RpcResponse;
    let result: CallResult;
    try {
      const outcome = await ask();
      response = responseOf(id, outcome);
      result = resultOf(outcome, response, tool !== null);
    } catch {
      response = errorOf(id, { code: CODES.internal, message: "Internal server error" });
      result = "error";
    }
    const ms = clock.now() - started;
    span.setAttribute("berth.result", result);
    if (result !== "ok") failSpan(span, result);
    countCall(metrics, ms / 1000, result);
    if (tool !== null) {
      const traceId = currentTraceId() ?? parent?.traceId ?? null;
      onToolCall?.({ tool, result, startedAt, ms, traceId });
    }
    return response;
  });
}
