/**
 * What an interpreter is to those who use it.
 *
 * @module
 */
import type {
  AskMethod,
  AskOutcome,
  LoadCause,
  ScannedCode,
} from "../../../workers/session/bodies.ts";
import type { GivenPackages } from "../../packages/session_packages.ts";
import type { RequestId } from "../../protocol/json_rpc.ts";
import type { StayReason } from "../../../workers/session/parked_parts.ts";
import type { ServerInfo } from "../../protocol/mcp.ts";
import type { RawJson } from "../../protocol/raw_json.ts";
import type { EgressOutcome, EgressRequest } from "../../egress/types.ts";

/**
 * Why an interpreter is no more. `processor`: its code went on computing while no call ran; `protocol`:
 * its host lied; `parked`: its state was taken, and goes on in another.
 */
export type EndReason =
  | "closed"
  | "timeout"
  | "memory"
  | "processor"
  | "crashed"
  | "protocol"
  | "shutdown"
  | "parked";

/** What the server's code wrote: to stdout, stderr or through its context. */
export interface ServerLog {
  /** A level of MCP's `notifications/message`. */
  level: string;
  logger: string;
  text: string;
  /** Id of the request in flight that it belongs to; null: of none. */
  requestId: RequestId | null;
}

/** A notification of the server's code to its client, not yet looked into. */
export interface ServerNotification {
  method: string;
  /** Null for none. */
  params: RawJson | null;
  requestId: RequestId | null;
}

/** A request of the server's code to its client, not yet looked into. */
export interface ClientQuestion {
  method: AskMethod;
  /** Null for none. */
  params: RawJson | null;
  requestId: RequestId | null;
  /** Milliseconds the code wants to wait; null: as long as the limit allows. */
  timeoutMs: number | null;
}

/** What an interpreter is to run, and for whom. */
export interface InterpreterInput {
  /** Name of the registered server: a host process holds sessions of one server only. */
  server: string;
  /** Who published it; absent where that makes no difference. */
  author?: string | undefined;
  /** Whose session it is, as limits count: nor does a host hold sessions of two users. */
  client: string;
  /** Repository files below the selected folder, POSIX paths. */
  files: ReadonlyMap<string, Uint8Array>;
  /** Path of the entrypoint among `files`. */
  entrypoint: string;
  profile: "restricted" | "full";
  /** What `os.environ` holds; never logged. */
  environment: Record<string, string>;
  /** What may be compiled; null or absent where no scan said it. */
  scanned?: ScannedCode | null;
  /** Milliseconds the entrypoint may run, where that is not what sessions get. */
  loadDeadlineMs?: number | undefined;
  /** Top-level modules that its code imports whenever it runs; absent where no scan said it. */
  imports?: readonly string[] | undefined;
  /** What it goes on with, instead of running the entrypoint. */
  parked?: ParkedState | undefined;
  /** Packages of its own; absent for those of the installation alone. */
  packages?: GivenPackages | undefined;
  onLog(log: ServerLog): void;
  onNotification(notification: ServerNotification): void;
  /**
   * The code wants the stream of a request in flight closed before its answer, or, with null, the
   * one that belongs to no request.
   */
  onCloseStream(requestId: RequestId | null, retryMs: number | null): void;
  /** Asks the client. `signal` aborts when nobody waits for the answer any more. */
  ask(question: ClientQuestion, signal: AbortSignal): Promise<AskOutcome>;
  /** Performs a request for the code. `signal` aborts when the session ends or the call is over. */
  http(request: EgressRequest, signal: AbortSignal): Promise<EgressOutcome>;
  /** Told where it runs: in an interpreter that had booted, in a host with room, or in a new host. */
  onPlace?: ((place: "warm" | "shared" | "cold") => void) | undefined;
  /** Called once, when it is over for whatever reason. */
  onEnd(reason: EndReason): void;
}

/** What an interpreter is to run, whoever its client will be. */
export type CodeInput = Omit<InterpreterInput, "client">;

/** A construct that the restricted profile refuses. */
export interface RefusedConstruct {
  construct: string;
  file: string;
  line: number;
  /** What to use instead. */
  hint: string;
}

/** What came of running the entrypoint. */
export type LoadOutcome =
  | {
    kind: "loaded";
    info: ServerInfo;
  }
  | { kind: "refused"; problems: RefusedConstruct[] }
  | {
    kind: "raised";
    message: string;
    traceback: string;
    /** Absent where nothing says it. */
    cause?: LoadCause | undefined;
    /** Why the session is no more, where the entrypoint brought it to its end. */
    ended?: EndReason | undefined;
    /** Environment variables that the code asked for and that are not set. */
    missing_environment?: string[] | undefined;
  };

/** What came of one request to the server's code. */
export type CallOutcome =
  /** As the code gave it: any JSON. */
  | { kind: "result"; result: RawJson }
  /** `data` may be {@link RawJson}. `why`: where it is not the code's own answer. */
  | {
    kind: "error";
    code: number;
    message: string;
    data?: unknown;
    why?: "cancelled" | "busy" | "timeout";
  }
  | { kind: "ended"; reason: EndReason; message: string };

/** Bounds of one request. */
export interface CallOptions {
  /**
   * Milliseconds the call may hold the interpreter; then it is interrupted, then killed. Waiting for
   * the client does not count.
   */
  deadlineMs: number;
  requestId: RequestId;
  /** Aborting interrupts the call as its deadline would. */
  signal?: AbortSignal;
}

/** What is left of an interpreter that was parked. */
export interface ParkedState {
  /** Made by what ran in the interpreter, and read only where that may be read. */
  bytes: Uint8Array;
  /** Image that it began with; null for none. */
  image: string | null;
  info: ServerInfo;
  /** Milliseconds until its next timer was due, when it was parked; null: it had none. */
  dueMs: number | null;
}

/** When an interpreter has to stay although nobody uses it. */
export interface ParkOptions {
  /** Milliseconds; with a timer that is due sooner it stays. */
  soonMs: number;
  /** Most bytes that what is left may have. */
  maxBytes: number;
}

export type ParkOutcome =
  | { kind: "parked"; state: ParkedState }
  | { kind: "stays"; reason: StayReason }
  | { kind: "ended"; reason: EndReason };

/** An interpreter in which a server is loaded. */
export interface Interpreter {
  /** Id of its host process, which may have other sessions of the same server and user. */
  readonly pid: number;
  readonly load: LoadOutcome;
  /**
   * Calls begin one after the other, in order: the next while the others wait for the client or await
   * something else. Never rejects.
   */
  request(method: string, params: RawJson, options: CallOptions): Promise<CallOutcome>;
  /** Ends it and gives what another can go on with, unless it has to stay. No call may be in flight. */
  park(options: ParkOptions): Promise<ParkOutcome>;
  /** Ends it; resolves when nothing of it is left. */
  close(): Promise<void>;
}
