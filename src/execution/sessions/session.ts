/**
 * One client session: answers requests, by itself or through the interpreter, and carries what the
 * server's code says and asks. It knows nothing of the wire.
 *
 * @module
 */
import { abilitiesOf, NO_ABILITIES } from "../../protocol/abilities.ts";
import {
  CODES,
  errorOf,
  type Params,
  readId,
  type RequestId,
  resultOf,
  type RpcError,
  type RpcResponse,
} from "../../protocol/json_rpc.ts";
import {
  InitializeParams,
  initializeResult,
  type LoggingLevel,
  SERVER_METHODS,
  type ServerInfo,
  SetLevelParams,
} from "../../protocol/mcp.ts";
import { isPaged } from "../../protocol/pages.ts";
import { RawJson } from "../../protocol/raw_json.ts";
import { negotiate, NEWEST_REVISION, type Revision } from "../../protocol/revisions.ts";
import { answered, type AnsweredDeps } from "../calls/answered.ts";
import type { Clock } from "../clock.ts";
import type { Receiver } from "../streams/receiver.ts";
import { createInFlight } from "./in_flight.ts";
import type { ServerEvents } from "./launch.ts";
import type { SessionMemory } from "../parked/state.ts";
import type { Left, SessionInterpreter } from "../parked/session_interpreter.ts";
import { createNotifier } from "./notifier.ts";
import { invalidParams } from "./outcomes.ts";
import { createPaging } from "./paging.ts";
import { type ClientAnswer, createQuestions } from "./questions.ts";
import type { ClientRequest } from "./request.ts";
import type { ToolGate } from "./scanned_tools.ts";
import { boundCompletion, createSubscribing } from "./server_methods.ts";

/** What runs the server's code. */
interface Running {
  kind: "running";
  interpreter: SessionInterpreter;
  info: ServerInfo;
}

/** What answers requests: an interpreter, or for refused code always the same error. */
export type Backend = Running | { kind: "refused"; error: RpcError };

export interface SessionDeps extends AnsweredDeps {
  clock: Clock;
  /** Milliseconds a call may hold the interpreter. */
  callTimeoutMs: number;
  /** Most entries of a page of a list that the server does not cut itself. */
  pageSize?: number;
}

/** Time for the server's code to take note of what the client says of itself. */
const NOTE_DEADLINE_MS = 5000;

/** Tells the server's code something that no client waits for. */
function note(
  interpreter: SessionInterpreter,
  method: string,
  params: Record<string, unknown>,
): void {
  const options = { deadlineMs: NOTE_DEADLINE_MS, requestId: `berth:${method}` };
  void interpreter.request(method, RawJson.of(params), options);
}

/** A client session; what belongs to no request goes to the receiver that it is made with. */
export class ClientSession {
  /** What the interpreter tells of; valid before {@link ClientSession.start}. */
  readonly events: Omit<ServerEvents, "onEnd">;
  readonly #deps: SessionDeps;
  readonly #server: string;
  readonly #inFlight = createInFlight();
  readonly #notifier;
  readonly #questions;
  readonly #paging;
  readonly #subscribing;
  #backend: Backend | null = null;
  #tools: ToolGate | null = null;
  #revision: Revision = NEWEST_REVISION;
  #loggingLevel: LoggingLevel | null = null;
  #abilities = NO_ABILITIES;

  /** @param server Name of the server that it is one of. */
  constructor(deps: SessionDeps, server: string, unrelated: Receiver) {
    this.#deps = deps;
    this.#server = server;
    const inFlight = this.#inFlight;
    const notifier = createNotifier({
      inFlight,
      unrelated,
      level: () => this.#loggingLevel,
      abilities: () => this.#abilities,
    });
    this.#notifier = notifier;
    this.#questions = createQuestions({
      clock: deps.clock,
      abilities: () => this.#abilities,
      receiverFor(requestId) {
        const receiver = notifier.receiverOf(requestId);
        return receiver.canCarry() ? receiver : null;
      },
    });
    this.#paging = createPaging(deps.pageSize);
    this.#subscribing = createSubscribing(notifier);
    this.events = {
      onLog: notifier.log,
      onNotification: notifier.notify,
      onCloseStream(requestId: RequestId | null, retryMs: number | null) {
        const receiver = requestId === null ? unrelated : inFlight.byId(requestId)?.receiver;
        receiver?.interrupt(retryMs);
      },
      ask: this.#questions.ask,
    };
  }

  /** Id of the host process that its code runs in; null while there is none. */
  get pid(): number | null {
    return this.#backend?.kind === "running" ? this.#backend.interpreter.pid : null;
  }

  /** Whether its code waits, as what is left of an interpreter, for the next request. */
  get isParked(): boolean {
    return this.#backend?.kind === "running" && this.#backend.interpreter.isParked;
  }

  /** Whether it is parked and has nothing to do by itself. */
  get isStill(): boolean {
    return this.#backend?.kind === "running" && this.#backend.interpreter.isStill;
  }

  /** What `initialize` settled; the newest until then. */
  get revision(): Revision {
    return this.#revision;
  }

  /** The interpreter is there. */
  start(backend: Backend, tools: ToolGate): void {
    this.#backend = backend;
    this.#tools = tools;
  }

  /** What client and session have told each other, for where it goes on. */
  get memory(): SessionMemory {
    return {
      revision: this.#revision,
      level: this.#loggingLevel,
      abilities: this.#abilities,
      watched: this.#notifier.watched(),
      paged: [...this.#paging.own],
    };
  }

  /** Has it know what it knew before. */
  remember({ revision, level, abilities, watched, paged }: SessionMemory): void {
    this.#revision = revision;
    this.#loggingLevel = level;
    this.#abilities = abilities;
    for (const uri of watched) this.#notifier.subscribe(uri);
    for (const method of paged) this.#paging.own.add(method);
  }

  /** What is left of its code, as {@link SessionInterpreter.leave}. */
  async leave(): Promise<Left | null> {
    return this.#backend?.kind === "running" ? await this.#backend.interpreter.leave() : null;
  }

  /** It does not leave after all. */
  stay(): void {
    if (this.#backend?.kind === "running") this.#backend.interpreter.stay();
  }

  /** Answers a request; what belongs to it goes to `receiver` meanwhile. Never rejects. */
  async answer(request: ClientRequest, receiver: Receiver): Promise<RpcResponse> {
    const { id, method } = request;
    const backend = this.#backend;
    if (backend === null) {
      return errorOf(id, { code: CODES.internal, message: "The session is starting" });
    }
    if (backend.kind === "refused") return errorOf(id, backend.error);
    if (method === "initialize") return this.#initialize(request, backend);
    if (method === "ping") return resultOf(id, {});
    if (method === "logging/setLevel") return this.#setLevel(request, backend);
    if (!SERVER_METHODS.has(method)) {
      return errorOf(id, { code: CODES.methodNotFound, message: `Method not found: ${method}` });
    }
    const refusal = this.#tools?.refusal(request) ?? null;
    return refusal ?? await this.#throughCode(request, backend.interpreter, receiver);
  }

  /** Answers a request that the server's code has a part in. */
  async #throughCode(
    request: ClientRequest,
    interpreter: SessionInterpreter,
    receiver: Receiver,
  ): Promise<RpcResponse> {
    const { method } = request;
    const ask = async (asked: ClientRequest) => {
      const response = await this.#call(asked, interpreter, receiver);
      return method === "tools/list" ? this.#tools?.served(response) ?? response : response;
    };
    if (isPaged(method)) return await this.#paging.answer(request, ask);
    if (this.#subscribing.handles(method)) return await this.#subscribing.answer(request, ask);
    const response = await ask(request);
    return method === "completion/complete" ? boundCompletion(response) : response;
  }

  #initialize({ id, params }: ClientRequest, { interpreter, info }: Running): RpcResponse {
    const parsed = InitializeParams.safeParse(params.value());
    if (!parsed.success) {
      const field = parsed.error.issues[0]?.path.join(".") ?? "";
      return invalidParams(id, `The parameter "${field}" of initialize is invalid`);
    }
    const { protocolVersion, capabilities } = parsed.data;
    // What the server's code is told, it is told as the client said it.
    const said = params.pick("capabilities", "clientInfo");
    this.#revision = negotiate(protocolVersion ?? undefined);
    this.#abilities = abilitiesOf(capabilities);
    note(interpreter, "berth/client", {
      protocol_version: this.#revision,
      capabilities: said.capabilities ?? {},
      client_info: said.clientInfo ?? null,
    });
    return resultOf(id, initializeResult(this.#revision, info));
  }

  #setLevel({ id, params }: ClientRequest, { interpreter, info }: Running): RpcResponse {
    const parsed = SetLevelParams.safeParse(params.value());
    if (!parsed.success) return invalidParams(id, "Unknown log level");
    this.#loggingLevel = parsed.data.level;
    // Only a server that declares logging has something to do with it.
    if (Object.hasOwn(info.capabilities, "logging")) {
      note(interpreter, "logging/setLevel", { level: this.#loggingLevel });
    }
    return resultOf(id, {});
  }

  async #call(
    request: ClientRequest,
    interpreter: SessionInterpreter,
    receiver: Receiver,
  ): Promise<RpcResponse> {
    const { id, method, params } = request;
    const entry = this.#inFlight.add(id, params, receiver);
    const options = {
      deadlineMs: this.#deps.callTimeoutMs,
      requestId: id,
      signal: entry.controller.signal,
    };
    const response = await answered(
      this.#deps,
      this.#server,
      request,
      () => interpreter.request(method, params, options),
    );
    this.#inFlight.remove(entry);
    return response;
  }

  /** Takes a notification; what is unknown, late or malformed is ignored. */
  notify(method: string, params: Params): void {
    const backend = this.#backend;
    if (method === "notifications/cancelled") {
      const id = readId(params.member("requestId"));
      if (id !== null) this.#inFlight.cancel(id);
    } else if (method === "notifications/roots/list_changed" && backend?.kind === "running") {
      if (this.#abilities.roots) note(backend.interpreter, method, {});
    }
  }

  /** Takes the client's answer to a question of the server. */
  respond(answer: ClientAnswer): void {
    this.#questions.answer(answer);
  }

  /** Ends the interpreter; resolves when every request has its answer. */
  async close(): Promise<void> {
    this.#questions.end();
    if (this.#backend?.kind === "running") await this.#backend.interpreter.close();
    await this.#inFlight.drained();
  }
}
