/**
 * What the node keeps of a session, and how many there may be.
 *
 * @module
 */
import {
  sessionNotFound,
  sessionOfOtherServer,
  sessionsInUse,
  tooManySessions,
} from "../failures.ts";
import type { RpcError } from "../../protocol/json_rpc.ts";
import type { Client } from "../admission/clients.ts";
import { createStreams, type Streams } from "../streams/streams.ts";
import type { RunnableServer } from "../types.ts";
import { maskOf, type SessionEnvironment } from "./environment.ts";
import { NO_VALUES, type SessionValues } from "./values.ts";
import { type OutputLog, outputLog } from "./output_log.ts";
import { ClientSession } from "./session.ts";
import type { SessionRow } from "./store.ts";
import type {
  LiveSession,
  SessionKey,
  SessionLimits,
  SessionsDeps,
  SessionState,
} from "./types.ts";
import type { Clock } from "../clock.ts";

/** How a session began. */
export type Started = { kind: "active" } | { kind: "raised"; error: RpcError };

/** A client session of this node, from the request that begins it on. */
export interface Entry {
  row: SessionRow;
  client: Client;
  /** What the client gave. */
  environment: SessionEnvironment;
  /** What its code gets of this and of what is kept; empty until that is known. */
  values: SessionValues;
  /** Takes values out of what its operator reads. */
  mask: (text: string) => string;
  /** What is run; null while it is not known whether it may begin. */
  server: RunnableServer | null;
  /** Files of the packages of its own, by package. */
  packages: Record<string, string>;
  /** When the payment was last found to be there. */
  paidAt: number;
  ready: Promise<Started>;
  session: ClientSession;
  streams: Streams;
  /** Whether its interpreter is there. */
  isLive: boolean;
  output: OutputLog;
  uses: number;
  lastActive: number;
  cancelTimer: () => void;
  /** It began at another node, or before this one did. */
  hasArrived: boolean;
  /** It is being stored; resolves when it is not here any more, or stays. */
  leaving: Promise<void> | null;
}

/** The entry of a session that begins with `key`; `ready` resolves when it has begun. */
export function createEntry(deps: SessionsDeps, key: SessionKey, ready: Promise<Started>): Entry {
  const { clock, log } = deps;
  const instance = deps.newId();
  const environment = key.environment ?? {};
  const streams = createStreams({ clock, nodeRoom: deps.eventRoom, nonce: instance.slice(0, 8) });
  const output = log.child({ server: key.name, session: instance });
  const entry: Entry = {
    row: { id: key.id, instance, server: key.name, userId: key.client.userId },
    client: key.client,
    environment,
    values: NO_VALUES,
    mask: maskOf(environment),
    server: null,
    packages: {},
    hasArrived: false,
    leaving: null,
    paidAt: clock.now(),
    ready,
    session: new ClientSession(
      {
        ...deps,
        onToolCall(call) {
          const { server: name, userId, instance: session } = entry.row;
          const version = entry.server?.version ?? null;
          deps.onToolCall?.({ ...call, server: name, version, userId, session });
        },
      },
      key.name,
      streams.unrelated,
    ),
    streams,
    isLive: false,
    output: outputLog(output, (text) => entry.mask(text)),
    uses: 0,
    lastActive: clock.now(),
    cancelTimer() {},
  };
  return entry;
}

/**
 * Checks that a session is the one that `key` means.
 *
 * @throws {AppError} `not_found`, or `conflict` when the id belongs to another server's session.
 */
export function checkOwn(
  { userId, server }: Pick<SessionRow, "userId" | "server">,
  key: SessionKey,
): void {
  // Who may not know of the session is told the same as if there were none. Nobody is a caller
  // like each user: a signed-in one must not end up in an interpreter that strangers share.
  // Addresses are not compared: phones change theirs, and an id that cannot be guessed is proof.
  if (userId !== key.client.userId) throw sessionNotFound();
  if (server !== key.name) throw sessionOfOtherServer();
}

/** The entry, when it is the one that `key` means; throws what {@link checkOwn} throws. */
export function matching(entry: Entry, key: SessionKey): Entry {
  checkOwn(entry.row, key);
  return entry;
}

/** What a live session is doing. One that runs no code was refused it. */
function stateOf({ session, uses }: Entry): SessionState {
  if (session.isParked) return "parked";
  if (session.pid === null) return "failed";
  return uses > 0 ? "busy" : "idle";
}

/** The session for the operator. */
export function described(entry: Entry, clock: Clock): LiveSession {
  const { row, session, lastActive } = entry;
  return {
    instance: row.instance,
    server: row.server,
    userId: row.userId,
    pid: session.pid,
    state: stateOf(entry),
    lastActive: new Date(clock.date().getTime() - (clock.now() - lastActive)),
  };
}

/** @throws {AppError} When the client, or the node, has as many sessions as it may. */
export function checkLimits(
  entries: Iterable<Entry>,
  clientKey: string,
  limits: SessionLimits,
): void {
  const admitted = [...entries].filter((entry) => entry.server !== null);
  const own = admitted.filter((entry) => entry.client.key === clientKey).length;
  if (own >= limits.sessionsPerClient) {
    throw tooManySessions(limits.sessionsPerClient);
  }
  if (admitted.length >= limits.maxSessions) {
    throw sessionsInUse(limits.maxSessions);
  }
}
