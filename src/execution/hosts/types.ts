/**
 * What the execution side and the session hosts agree on.
 *
 * @module
 */
import type { AskMethod, AskOutcome, ScannedCode } from "../../../workers/protocol.ts";
import type { RequestId } from "../../protocol/json_rpc.ts";
import type { RawJson } from "../../protocol/raw_json.ts";
import type { EgressOutcome, EgressRequest } from "../../egress/types.ts";

/**
 * Why a session is no more. `processor`: its code went on computing while no call ran; `protocol`:
 * its host lied.
 */
export type EndReason =
  | "closed"
  | "timeout"
  | "memory"
  | "processor"
  | "crashed"
  | "protocol"
  | "shutdown";

/** A host that was ended, or ended by itself, for what the code in it did. */
export interface HostKill {
  /** The registered server it belonged to. */
  server: string;
  reason: Exclude<EndReason, "closed" | "shutdown">;
  /** For people; nothing in it is the code's own words. */
  message: string;
}

/** What the server's code wrote: to stdout, stderr or through its context. */
export interface SandboxLog {
  /** A level of MCP's `notifications/message`. */
  level: string;
  logger: string;
  text: string;
  /** Id of the request in flight that it belongs to; null: of none. */
  requestId: RequestId | null;
}

/** A notification of the server's code to its client, not yet looked into. */
export interface SandboxNotification {
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

/** A session to start. */
export interface OpenSession {
  sessionId: string;
  /** Name of the registered server: a host process holds sessions of one server only. */
  server: string;
  /** Whose session it is, as limits count: nor does a host hold sessions of two users. */
  client: string;
  /** Digest of the archive the files come from. */
  digest: string;
  /** Repository files below the selected folder, POSIX paths. */
  files: ReadonlyMap<string, Uint8Array>;
  /** Path of the entrypoint among `files`. */
  entrypoint: string;
  profile: "restricted" | "full";
  /** What `os.environ` holds; never logged. */
  environment: Record<string, string>;
  /** What may be compiled; null or absent where no scan said it. */
  scanned?: ScannedCode | null;
  onLog(log: SandboxLog): void;
  onNotification(notification: SandboxNotification): void;
  /**
   * The code wants the stream of a request in flight closed before its answer, or, with null, the
   * one that belongs to no request.
   */
  onCloseStream(requestId: RequestId | null, retryMs: number | null): void;
  /** Asks the client. `signal` aborts when nobody waits for the answer any more. */
  ask(question: ClientQuestion, signal: AbortSignal): Promise<AskOutcome>;
  /** Performs a request for the code. `signal` aborts when the session ends or the call is over. */
  http(request: EgressRequest, signal: AbortSignal): Promise<EgressOutcome>;
  /** Called once, when the session is over for whatever reason. */
  onEnd(reason: EndReason): void;
}

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
    info: {
      name: string;
      version: string;
      instructions: string | null;
      capabilities: Record<string, unknown>;
      title?: string | null | undefined;
      description?: string | null | undefined;
      website_url?: string | null | undefined;
      icons?: Record<string, unknown>[] | null | undefined;
    };
  }
  | { kind: "refused"; problems: RefusedConstruct[] }
  | {
    kind: "raised";
    message: string;
    traceback: string;
    /** Environment variables that the code asked for and that are not set. */
    missing_environment?: string[] | undefined;
  };

/** What came of one request to the server's code. */
export type CallOutcome =
  /** As the code gave it: any JSON. */
  | { kind: "result"; result: RawJson }
  /** `data` may be {@link RawJson}. */
  | { kind: "error"; code: number; message: string; data?: unknown }
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

/** A live session. */
export interface SandboxSession {
  /** Id of its host process, which may have other sessions of the same server and user. */
  readonly pid: number;
  readonly load: LoadOutcome;
  /**
   * Calls begin one after the other, in order: the next while the others wait for the client or await
   * something else. Never rejects.
   */
  request(method: string, params: RawJson, options: CallOptions): Promise<CallOutcome>;
  /** Ends the session; resolves when nothing of it is left. */
  close(): Promise<void>;
}

/** Figures for metrics and tests. */
export interface HostStats {
  hosts: number;
  /** Sessions in use. */
  sessions: number;
  /** Booted sessions that wait for their first use. */
  warm: number;
  /** Process ids of the hosts. */
  pids: number[];
}

/** The supervisor of the session hosts. */
export interface SandboxHosts {
  /**
   * Starts a session and runs the entrypoint.
   *
   * @throws {AppError} `unavailable` when the node is full or no interpreter can be started.
   */
  open(input: OpenSession): Promise<SandboxSession>;
  stats(): HostStats;
  /** Calls `listener` with each host that the code in it brought to its end. */
  onKill(listener: (kill: HostKill) => void): void;
  /** Ends every session and host process, within seconds. */
  close(): Promise<void>;
}
