/**
 * What the registry of live sessions offers, and what it needs.
 *
 * @module
 */
import type { Logger } from "../../log.ts";
import type { RpcError } from "../../protocol/json_rpc.ts";
import type { AdmissionDeps } from "../admission/admission.ts";
import type { Client } from "../admission/clients.ts";
import type { AnsweredCall } from "../calls/call.ts";
import type { SessionEnvironment } from "./environment.ts";
import type { EventRoom } from "../streams/event_stream.ts";
import type { LaunchDeps } from "./launch.ts";
import type { Depot } from "../parked/depot.ts";
import type { Ownership } from "../nodes/types.ts";
import type { SessionDeps } from "./session.ts";
import type { CurrentValue } from "../../egress/types.ts";
import type { KeptValue } from "../../keys/session_values.ts";
import type { SessionStore } from "./store.ts";
import type { ToolsPolicy } from "../types.ts";

/** Most sessions at once. */
export interface SessionLimits {
  /** Sessions of this node. */
  maxSessions: number;
  /** Sessions of one user or address. */
  sessionsPerClient: number;
}

/** A call of a tool, and whose it was. */
export interface ToolCall extends AnsweredCall {
  server: string;
  /** Of the record that the session began with; null while that is not known. */
  version: string | null;
  userId: string | null;
  /** Instance of the session; not the client's id, which lets one in. */
  session: string;
}

export interface SessionsDeps extends Omit<SessionDeps, "onToolCall">, SessionLimits {
  /** Told of each call of a tool that has ended. */
  onToolCall?: ((call: ToolCall) => void) | undefined;
  admission: AdmissionDeps;
  launch: LaunchDeps;
  store: SessionStore;
  /** What sessions are held by where nodes share them; absent: this node has all. */
  ownership?: Ownership | undefined;
  /** Where parked sessions go when they leave this node, and come from; absent: nowhere. */
  depot?: Depot | undefined;
  log: Logger;
  newId: () => string;
  /** Milliseconds without activity after which a session is evicted. */
  idleMs: number;
  /** Room for what is kept of event streams. */
  eventRoom: EventRoom;
  toolsPolicy: ToolsPolicy;
  /** Values that are kept for a user's sessions of a server; absent where none are. */
  keptValues?: (server: string, userId: string) => Promise<KeptValue[]>;
  /** The token of a connection as it is now; absent where there are none. */
  currentValue?: (server: string, userId: string, name: string) => Promise<CurrentValue>;
  /** Origins of what is kept for a user's sessions of a server now; absent where nothing is. */
  keptOrigins?: (server: string, userId: string) => Promise<Set<string>>;
  /** Address of the page on which the values of a server are entered. */
  keysPage: (server: string) => string;
  /** Whether values can be entered there, or only given with a session; by default they can. */
  keepsValues?: boolean;
  /** Told of tools that are not served because the scan did not see them. */
  onToolRefused?: (refusal: { server: string; tool: string }) => void;
}

/** Which session is meant, and who asks. */
export interface SessionKey {
  /** Value of Mcp-Session-Id. */
  id: string;
  /** Whether the id was made for this request, so that nobody had it before. */
  isNew?: boolean;
  /** Whether another node has found it to be here. */
  isForwarded?: boolean;
  /** The server's name. */
  name: string;
  client: Client;
  /** For `os.environ`; a session takes that of its first request. */
  environment?: SessionEnvironment | null;
}

/** `begin` makes a session of a new id, `initialize` also of one whose session has ended. */
export type Intent = "initialize" | "begin" | "existing";

/** What became of {@link Sessions.use}. */
export type Used<T> = { kind: "done"; value: T } | { kind: "raised"; error: RpcError };

/**
 * Whether a request is under way; `parked`: it has no interpreter until the next request; `failed`: the
 * profile refused its code, and each request gets an error.
 */
export type SessionState = "busy" | "idle" | "parked" | "failed";

/** A session of this node, for its operator. */
export interface LiveSession {
  /** Tells it from others; not the client's id, which lets one in. */
  instance: string;
  server: string;
  userId: string | null;
  /** Id of the host process that its code runs in; null when it runs no code. */
  pid: number | null;
  state: SessionState;
  /** When it was used last, by the time of day. */
  lastActive: Date;
}
