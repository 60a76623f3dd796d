/**
 * One live session: answers requests, by itself or through the sandbox. It knows nothing of the
 * wire.
 *
 * @module
 */
import { CODES, errorOf, type RequestId, resultOf, type RpcError } from "../protocol/json_rpc.ts";
import type { Params, RpcResponse } from "../protocol/json_rpc.ts";
import {
  CancelledParams,
  InitializeParams,
  initializeResult,
  type LoggingLevel,
  SERVER_METHODS,
  type ServerInfo,
  SetLevelParams,
} from "../protocol/mcp.ts";
import { negotiate, NEWEST_REVISION, type Revision } from "../protocol/revisions.ts";
import type { Clock } from "./clock.ts";
import type { CallOutcome, EndReason, SandboxSession } from "./hosts/types.ts";
import { countCall, type ExecutionMetrics } from "./metrics.ts";

/** What answers a session's requests: a sandbox, or for refused code always the same error. */
export type SessionBackend =
  | { kind: "running"; sandbox: SandboxSession; info: ServerInfo }
  | { kind: "refused"; error: RpcError };

/** What a session needs. */
export interface SessionDeps {
  clock: Clock;
  metrics: ExecutionMetrics;
  /** Milliseconds a call may hold the interpreter. */
  callTimeoutMs: number;
}

/** A request to a session. */
export interface SessionRequest {
  id: RequestId;
  method: string;
  params: Params;
}

/** A live session. */
export interface Session {
  /** What `initialize` settled; the newest until then. */
  readonly revision: Revision;
  /** What the client asked for with `logging/setLevel`. */
  readonly loggingLevel: LoggingLevel;
  /** Answers a request. Never rejects. */
  answer(request: SessionRequest): Promise<RpcResponse>;
  /** Takes a notification; what is unknown, late or malformed is ignored. */
  notify(method: string, params: Params): void;
  /** Ends the sandbox. */
  close(): Promise<void>;
}

/** A session on `backend`. */
export function createSession(deps: SessionDeps, backend: SessionBackend): Session {
  let revision = NEWEST_REVISION;
  let loggingLevel: LoggingLevel = "info";
  // Clients may repeat ids, so several calls can have one.
  const calls = new Set<{ id: RequestId; controller: AbortController }>();

  function initialize({ id, params }: SessionRequest, info: ServerInfo): RpcResponse {
    const parsed = InitializeParams.safeParse(params);
    if (!parsed.success) {
      const field = parsed.error.issues[0]?.path.join(".") ?? "";
      return invalidParams(id, `The parameter "${field}" of initialize is not valid`);
    }
    revision = negotiate(parsed.data.protocolVersion ?? undefined);
    return resultOf(id, initializeResult(revision, info));
  }

  function setLevel({ id, params }: SessionRequest): RpcResponse {
    const parsed = SetLevelParams.safeParse(params);
    if (!parsed.success) return invalidParams(id, "Unknown log level");
    loggingLevel = parsed.data.level;
    return resultOf(id, {});
  }

  async function call(request: SessionRequest, sandbox: SandboxSession): Promise<RpcResponse> {
    const entry = { id: request.id, controller: new AbortController() };
    calls.add(entry);
    const started = deps.clock.now();
    let response: RpcResponse;
    try {
      const outcome = await sandbox.request(request.method, request.params, {
        deadlineMs: deps.callTimeoutMs,
        requestId: request.id,
        signal: entry.controller.signal,
      });
      response = responseOf(request.id, outcome);
    } catch {
      response = errorOf(request.id, { code: CODES.internal, message: "Internal server error" });
    } finally {
      calls.delete(entry);
    }
    countCall(deps.metrics, (deps.clock.now() - started) / 1000, "error" in response);
    return response;
  }

  async function answer(request: SessionRequest): Promise<RpcResponse> {
    if (backend.kind === "refused") return errorOf(request.id, backend.error);
    const { sandbox, info } = backend;
    if (request.method === "initialize") return initialize(request, info);
    if (request.method === "ping") return resultOf(request.id, {});
    if (request.method === "logging/setLevel") return setLevel(request);
    if (SERVER_METHODS.has(request.method)) return await call(request, sandbox);
    return errorOf(request.id, {
      code: CODES.methodNotFound,
      message: `Method not found: ${request.method}`,
    });
  }

  return {
    get revision() {
      return revision;
    },
    get loggingLevel() {
      return loggingLevel;
    },
    answer,
    notify(method, params) {
      if (method !== "notifications/cancelled") return;
      const parsed = CancelledParams.safeParse(params);
      if (!parsed.success) return;
      for (const { id, controller } of calls) {
        if (id === parsed.data.requestId) controller.abort();
      }
    },
    async close() {
      if (backend.kind === "running") await backend.sandbox.close();
    },
  };
}

function invalidParams(id: RequestId, message: string): RpcResponse {
  return errorOf(id, { code: CODES.invalidParams, message });
}

const ENDED: Record<EndReason, string> = {
  closed: "The session was ended while the call ran",
  timeout: "The call was stopped, and the session with it, because it ran too long",
  memory: "The session was ended because it used too much memory",
  processor: "The session was ended because its code went on computing while no call ran",
  crashed: "The session ended unexpectedly while the call ran",
  protocol: "The session was ended because its code broke the sandbox's protocol",
  shutdown: "The session was ended because the service is shutting down",
};

function responseOf(id: RequestId, outcome: CallOutcome): RpcResponse {
  if (outcome.kind === "result") {
    const { result } = outcome;
    if (typeof result === "object" && result !== null && !Array.isArray(result)) {
      return resultOf(id, result);
    }
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
