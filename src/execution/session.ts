/**
 * One live session: answers requests, by itself or through the sandbox, and carries what the
 * server's code says and asks. It knows nothing of the wire.
 *
 * @module
 */
import { abilitiesOf, NO_ABILITIES } from "../protocol/abilities.ts";
import {
  CODES,
  errorOf,
  type Params,
  readId,
  resultOf,
  type RpcError,
  type RpcResponse,
} from "../protocol/json_rpc.ts";
import {
  InitializeParams,
  initializeResult,
  type LoggingLevel,
  SERVER_METHODS,
  type ServerInfo,
  SetLevelParams,
} from "../protocol/mcp.ts";
import { isPaged } from "../protocol/pages.ts";
import { RawJson } from "../protocol/raw_json.ts";
import { negotiate, NEWEST_REVISION, type Revision } from "../protocol/revisions.ts";
import type { Clock } from "./clock.ts";
import type { SandboxSession } from "./hosts/types.ts";
import type { SessionRequest } from "./types.ts";
import { createInFlight } from "./in_flight.ts";
import type { SandboxEvents } from "./launch.ts";
import { countCall, type ExecutionMetrics } from "./metrics.ts";
import { createNotifier } from "./notifier.ts";
import { invalidParams, responseOf } from "./outcomes.ts";
import { createPaging } from "./paging.ts";
import { type ClientAnswer, createQuestions } from "./questions.ts";
import type { Receiver } from "./receiver.ts";
import type { ToolGate } from "./scanned_tools.ts";
import { boundCompletion, createSubscribing } from "./server_methods.ts";

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
  /** Most entries of a page of a list that the server does not cut itself. */
  pageSize?: number;
}

/** A live session. */
export interface Session {
  /** Id of the host process that its code runs in; null while there is none. */
  readonly pid: number | null;
  /** What `initialize` settled; the newest until then. */
  readonly revision: Revision;
  /** What the sandbox tells of; valid before {@link Session.start}. */
  readonly events: Omit<SandboxEvents, "onEnd">;
  /** The sandbox is there. */
  start(backend: SessionBackend, tools: ToolGate): void;
  /** Answers a request; what belongs to it goes to `receiver` meanwhile. Never rejects. */
  answer(request: SessionRequest, receiver: Receiver): Promise<RpcResponse>;
  /** Takes a notification; what is unknown, late or malformed is ignored. */
  notify(method: string, params: Params): void;
  /** Takes the client's answer to a question of the server. */
  respond(answer: ClientAnswer): void;
  /** Ends the sandbox; resolves when every request has its answer. */
  close(): Promise<void>;
}

/** Time for the server's code to take note of what the client says of itself. */
const NOTE_DEADLINE_MS = 5000;

/** A session whose messages that belong to no request go to `unrelated`. */
export function createSession(deps: SessionDeps, unrelated: Receiver): Session {
  let backend: SessionBackend | null = null;
  let tools: ToolGate | null = null;
  let revision = NEWEST_REVISION;
  let loggingLevel: LoggingLevel | null = null;
  let abilities = NO_ABILITIES;
  const inFlight = createInFlight();
  const notifier = createNotifier({
    inFlight,
    unrelated,
    level: () => loggingLevel,
    abilities: () => abilities,
  });
  const questions = createQuestions({
    clock: deps.clock,
    abilities: () => abilities,
    receiverFor(requestId) {
      const receiver = notifier.receiverOf(requestId);
      return receiver.canCarry() ? receiver : null;
    },
  });
  const paging = createPaging(deps.pageSize);
  const subscribing = createSubscribing(notifier);

  /** Tells the server's code something that no client waits for. */
  function note(sandbox: SandboxSession, method: string, params: Record<string, unknown>): void {
    const options = { deadlineMs: NOTE_DEADLINE_MS, requestId: `berth:${method}` };
    void sandbox.request(method, RawJson.of(params), options);
  }

  function initialize(
    { id, params }: SessionRequest,
    { sandbox, info }: Extract<SessionBackend, { kind: "running" }>,
  ): RpcResponse {
    const parsed = InitializeParams.safeParse(params.value());
    if (!parsed.success) {
      const field = parsed.error.issues[0]?.path.join(".") ?? "";
      return invalidParams(id, `The parameter "${field}" of initialize is not valid`);
    }
    const { protocolVersion, capabilities } = parsed.data;
    // What the server's code is told, it is told as the client said it.
    const said = params.pick("capabilities", "clientInfo");
    revision = negotiate(protocolVersion ?? undefined);
    abilities = abilitiesOf(capabilities);
    note(sandbox, "berth/client", {
      protocol_version: revision,
      capabilities: said.capabilities ?? {},
      client_info: said.clientInfo ?? null,
    });
    return resultOf(id, initializeResult(revision, info));
  }

  function setLevel({ id, params }: SessionRequest, sandbox: SandboxSession, info: ServerInfo) {
    const parsed = SetLevelParams.safeParse(params.value());
    if (!parsed.success) return invalidParams(id, "Unknown log level");
    loggingLevel = parsed.data.level;
    // Only a server that declares logging has something to do with it.
    if (Object.hasOwn(info.capabilities, "logging")) {
      note(sandbox, "logging/setLevel", { level: loggingLevel });
    }
    return resultOf(id, {});
  }

  async function call(
    request: SessionRequest,
    sandbox: SandboxSession,
    receiver: Receiver,
  ): Promise<RpcResponse> {
    const entry = inFlight.add(request.id, request.params, receiver);
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
      inFlight.remove(entry);
    }
    countCall(deps.metrics, (deps.clock.now() - started) / 1000, "error" in response);
    return response;
  }

  async function answer(request: SessionRequest, receiver: Receiver): Promise<RpcResponse> {
    if (backend === null) {
      return errorOf(request.id, { code: CODES.internal, message: "The session is starting" });
    }
    if (backend.kind === "refused") return errorOf(request.id, backend.error);
    const { sandbox, info } = backend;
    const { method } = request;
    if (method === "initialize") return initialize(request, backend);
    if (method === "ping") return resultOf(request.id, {});
    if (method === "logging/setLevel") return setLevel(request, sandbox, info);
    if (!SERVER_METHODS.has(method)) {
      const message = `Method not found: ${method}`;
      return errorOf(request.id, { code: CODES.methodNotFound, message });
    }
    const refusal = tools?.refusal(request) ?? null;
    if (refusal !== null) return refusal;
    async function ask(asked: SessionRequest) {
      const response = await call(asked, sandbox, receiver);
      return method === "tools/list" ? tools?.served(response) ?? response : response;
    }
    if (isPaged(method)) return await paging.answer(request, ask);
    if (subscribing.handles(method)) return await subscribing.answer(request, ask);
    const response = await ask(request);
    return method === "completion/complete" ? boundCompletion(response) : response;
  }

  return {
    get pid() {
      return backend?.kind === "running" ? backend.sandbox.pid : null;
    },
    get revision() {
      return revision;
    },
    events: {
      onLog: notifier.log,
      onNotification: notifier.notify,
      onCloseStream: (requestId, retryMs) =>
        requestId === null
          ? unrelated.interrupt(retryMs)
          : inFlight.byId(requestId)?.receiver.interrupt(retryMs),
      ask: questions.ask,
    },
    start(given, gate) {
      backend = given;
      tools = gate;
    },
    answer,
    notify(method, params) {
      if (method === "notifications/cancelled") {
        const id = readId(params.member("requestId"));
        if (id !== null) inFlight.cancel(id);
      } else if (method === "notifications/roots/list_changed" && backend?.kind === "running") {
        if (abilities.roots) note(backend.sandbox, method, {});
      }
    },
    respond: questions.answer,
    async close() {
      questions.end();
      if (backend?.kind === "running") await backend.sandbox.close();
      await inFlight.drained();
    },
  };
}
