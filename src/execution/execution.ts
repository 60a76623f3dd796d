/**
 * The execution side as a whole: transport, sessions, and their upkeep.
 *
 * @module
 */
import type postgres from "postgres";
import type { Logger } from "../log.ts";
import { type AdmissionDeps, mayRun } from "./admission/admission.ts";
import { archiveCache, type ArchiveDeps } from "./sessions/archive_cache.ts";
import { callLimit } from "./admission/clients.ts";
import type { Clock } from "./clock.ts";
import { bodyRoom } from "./transport/content.ts";
import type { EgressBroker } from "../egress/broker.ts";
import type { SessionHosts, SpareHosts } from "./hosts/types.ts";
import type { ServerCodeDeps } from "./sessions/server_code.ts";
import { BODIES_HELD_MAX_BYTES, NODE_EVENTS_MAX_BYTES } from "./limits.ts";
import { endUnreadable, recheckAll } from "./recheck.ts";
import { createMetrics, type ExecutionMetrics } from "./metrics.ts";
import { Sessions } from "./sessions/sessions.ts";
import type { SessionsDeps } from "./sessions/types.ts";
import type { Depot } from "./parked/depot.ts";
import { createParkedRoom } from "./parked/room.ts";
import type { Ownership } from "./nodes/types.ts";
import type { ParkingDeps } from "./parked/parking.ts";
import { ROWS_MAX, sessionStore } from "./sessions/store.ts";
import { createSpares, type Spares } from "./spares/spares.ts";
import { eventRoom } from "./streams/streams.ts";
import type { ToolsPolicy } from "./types.ts";
import { startUpkeep } from "./upkeep.ts";
import { createTransport, type Transport } from "./transport/transport.ts";
import type { TransportDeps } from "./transport/types.ts";

export interface ExecutionDeps
  extends
    AdmissionDeps,
    ArchiveDeps,
    Pick<TransportDeps, "authenticate" | "failureOf" | "onRefused" | "forward">,
    Pick<
      SessionsDeps,
      | "onToolRefused"
      | "onToolCall"
      | "keptValues"
      | "keptOrigins"
      | "currentValue"
      | "keysPage"
      | "keepsValues"
    > {
  sql: postgres.Sql;
  /** What a scan read as code, which is all that a session compiles, and packages; absent: neither. */
  stored?: ServerCodeDeps["stored"];
  hosts: SessionHosts;
  /** What sessions are held by where nodes share them. */
  ownership?: Ownership | undefined;
  /** Where parked sessions are kept that leave this node; absent: nowhere. */
  depot?: Depot | undefined;
  /** Where sessions begin before their clients come; absent: nowhere. */
  spareHosts?: SpareHosts;
  egress: EgressBroker;
  clock: Clock;
  log: Logger;
  /** Fresh UUIDs. */
  newId: () => string;
  settings: ExecutionSettings;
}

/** Configuration of the execution side. */
export interface ExecutionSettings {
  authentication: "optional" | "required";
  profile: "restricted" | "full";
  toolsPolicy: ToolsPolicy;
  /** Seconds of inactivity before a session is evicted. */
  idleSeconds: number;
  /** Seconds a call may hold the interpreter. */
  callTimeoutSeconds: number;
  maxSessions: number;
  sessionsPerClient: number;
  callsPerMinute: number;
  /** Most spare sessions; absent: none. */
  spareSessions?: number;
  /** Seconds of inactivity before a session is parked; absent or 0: never. */
  parkAfterSeconds?: number;
  /** Most megabytes of parked sessions; absent: none. */
  parkedMb?: number;
}

/** The execution side of a node: its MCP endpoint, live sessions and hosts. */
export interface Execution {
  transport: Transport;
  metrics: ExecutionMetrics;
  /** For the operator. */
  live: Pick<Sessions, "list" | "endInstance">;
  /**
   * The process is about to end: what clients only listen on ends, and sessions that nobody uses are
   * stored; calls go on.
   */
  beginShutdown(): void;
  /** Starts no session any more, while those that there are go on. */
  beginDrain(): void;
  /** Ends the live sessions of a server that was removed. */
  endServerSessions(name: string): Promise<void>;
  /** Ends all sessions: others may have them by now. */
  endLapsed(): Promise<void>;
  /** Ends the live sessions of a user who has left. */
  endUserSessions(userId: string): Promise<void>;
  /** Ends the live sessions of a user who may not read their servers any more. */
  recheckUser(userId: string): Promise<void>;
  /**
   * Ends what waits of a server that was changed, also of stored sessions that no longer fit it, and
   * the live ones of those who may not read it any more.
   */
  endWaiting(name: string): Promise<void>;
  /** Ends the live sessions of a user whose right to run a paid server may have ended. */
  recheckPayment(name: string, userId: string): Promise<void>;
  /**
   * Takes kept values that were removed or replaced from the sessions that have them.
   *
   * @param userId Null: of all users.
   */
  recheckKept(name: string, userId: string | null): Promise<void>;
  /** Does all of this for what may have been told in vain: servers, payments and kept values. */
  recheckAll(): Promise<void>;
  /** Ends every session and the upkeep; the hosts are the caller's to close. */
  close(): Promise<void>;
}

/** How long storing sessions may take from the moment on that the process is about to end. */
const STORE_MS = 10_000;
/** How long it may take for those that were used until the end. */
const STORE_LATE_MS = 1500;

/** The spare sessions of this node; null where there are to be none. */
function sparesOf(
  deps: ExecutionDeps,
  code: ServerCodeDeps,
  { spares: metrics }: ExecutionMetrics,
): Spares | null {
  const { spareHosts: hosts, settings: { spareSessions: most = 0 } } = deps;
  if (hosts === undefined || most === 0) return null;
  return createSpares({ ...deps, hosts, most, code, metrics });
}

function parkingOf(
  { clock, log, settings }: ExecutionDeps,
  metrics: ExecutionMetrics,
): ParkingDeps | undefined {
  const afterMs = (settings.parkAfterSeconds ?? 0) * 1000;
  if (afterMs === 0) return undefined;
  const roomBytes = (settings.parkedMb ?? 0) * 1024 * 1024;
  return { clock, log, metrics, afterMs, room: createParkedRoom(roomBytes) };
}

/** Removes stored sessions of a server that may not run any more, or is another by now. */
async function dropChanged(deps: ExecutionDeps, name: string) {
  const server = await deps.findRunnable(name);
  const runs = server !== null && mayRun(deps, server);
  await deps.depot?.dropServer(name, runs ? server.archiveSha256 : null);
}

/** The sessions of this node, with what they are started and parked with. */
function sessionsOf(
  deps: ExecutionDeps,
  { code, spares, ...shared }: Pick<SessionsDeps, "metrics" | "store"> & {
    code: ServerCodeDeps;
    spares: Spares | null;
  },
) {
  const { settings, clock, log, hosts, egress } = deps;
  const parking = parkingOf(deps, shared.metrics);
  return new Sessions({
    ...shared,
    admission: deps,
    launch: {
      ...code,
      hosts,
      egress,
      ...(spares === null ? {} : { spares }),
      parking,
      starts: shared.metrics.starts,
    },
    // What comes from there goes on as a parked session.
    depot: parking === undefined ? undefined : deps.depot,
    ownership: deps.ownership,
    clock,
    log,
    newId: deps.newId,
    callTimeoutMs: settings.callTimeoutSeconds * 1000,
    idleMs: settings.idleSeconds * 1000,
    maxSessions: settings.maxSessions,
    sessionsPerClient: settings.sessionsPerClient,
    eventRoom: eventRoom(NODE_EVENTS_MAX_BYTES),
    toolsPolicy: settings.toolsPolicy,
    ...keysOf(deps),
    ...(deps.onToolRefused === undefined ? {} : { onToolRefused: deps.onToolRefused }),
    ...(deps.onToolCall === undefined ? {} : { onToolCall: deps.onToolCall }),
  });
}

function keysOf(
  { keysPage, keepsValues = true, keptValues, keptOrigins, currentValue }: ExecutionDeps,
) {
  return {
    keysPage,
    keepsValues,
    ...(keptValues === undefined ? {} : { keptValues }),
    ...(keptOrigins === undefined ? {} : { keptOrigins }),
    ...(currentValue === undefined ? {} : { currentValue }),
  };
}

export function createExecution(deps: ExecutionDeps): Execution {
  const { clock, log, settings } = deps;
  const metrics = createMetrics();
  const store = sessionStore(deps.sql);
  const calls = callLimit(settings.callsPerMinute, clock.now);
  const code: ServerCodeDeps = {
    files: archiveCache(deps),
    stored: deps.stored ?? (() => Promise.resolve({ scanned: null, packages: undefined })),
    profile: settings.profile,
  };
  const spares = sparesOf(deps, code, metrics);
  const sessions = sessionsOf(deps, { code, spares, metrics, store });
  const stopUpkeep = startUpkeep(deps, async () => {
    calls.sweep();
    await sessions.touch();
    await store.prune(clock.date(), ROWS_MAX);
    await deps.depot?.prune(clock.date());
  });
  const transport = createTransport({
    sessions,
    clock,
    calls,
    room: bodyRoom(BODIES_HELD_MAX_BYTES),
    authenticate: deps.authenticate,
    authentication: settings.authentication,
    failureOf: deps.failureOf,
    newId: deps.newId,
    log,
    forward: deps.forward,
    ...(deps.onRefused === undefined ? {} : { onRefused: deps.onRefused }),
  });
  let storing: Promise<void> | null = null;
  function beginShutdown() {
    sessions.hangUp();
    storing ??= sessions.store(STORE_MS);
  }
  async function endServerSessions(name: string) {
    await Promise.all([
      sessions.endAll(({ server }) => server === name, "server_removed"),
      spares?.endServer(name),
      deps.depot?.dropServer(name, null),
    ]);
  }
  async function endWaiting(name: string) {
    await Promise.all([
      spares?.endServer(name),
      dropChanged(deps, name),
      endUnreadable(deps, sessions, { server: name }),
    ]);
  }
  return {
    transport,
    metrics,
    live: sessions,
    beginShutdown,
    beginDrain() {
      sessions.isDraining = true;
    },
    endServerSessions,
    endWaiting,
    async endLapsed() {
      await sessions.endAll(() => true, "node_lapsed");
    },
    async endUserSessions(userId) {
      await sessions.endAll((row) => row.userId === userId, "user_left");
    },
    recheckUser: (userId) => endUnreadable(deps, sessions, { userId }),
    recheckPayment: (name, userId) => sessions.recheckPayment(name, userId),
    recheckKept: (name, userId) => sessions.recheckKept(name, userId),
    recheckAll: () => recheckAll(deps, sessions, { endServerSessions, endWaiting }),
    async close() {
      await stopUpkeep();
      beginShutdown();
      await storing;
      await sessions.store(STORE_LATE_MS);
      await Promise.all([spares?.close(), sessions.close()]);
    },
  };
}
