/**
 * Wiring of the execution side: hosts, egress, sessions, transport.
 *
 * @module
 */
import process from "node:process";
import { SYSTEM_ACTOR } from "../audit/audit.ts";
import type { Refusal } from "../audit/refusals.ts";
import { type Config, ConfigError, needsToken, registryUrl } from "../config.ts";
import type { Sql } from "../database/client.ts";
import type { AdmissionDeps } from "../execution/admission/admission.ts";
import { systemClock } from "../execution/clock.ts";
import type { OwnEndpoint } from "../egress/own.ts";
import { type EgressPolicy, parseEgressPolicy } from "../egress/policy.ts";
import {
  createExecution,
  type Execution,
  type ExecutionDeps,
  type ExecutionSettings,
} from "../execution/execution.ts";
import { createSessionHosts } from "../execution/hosts/hosts.ts";
import type { Depot, NodeRuntime } from "../execution/parked/depot.ts";
import type { Gate } from "../execution/nodes/gate.ts";
import type { SharingNode } from "../execution/nodes/node.ts";
import type { HostStats, SessionHosts, SpareHosts } from "../execution/hosts/types.ts";
import { type Health, wallsHealth } from "../figures/health.ts";
import { readUsage } from "../sandbox/usage.ts";
import { raiseHostWalls } from "../execution/hosts/walls.ts";
import type { ToolCall } from "../execution/sessions/types.ts";
import { defaultMaxSessions } from "../execution/limits.ts";
import { failureEnvelope } from "../http/envelopes.ts";
import type { Logger } from "../log.ts";
import { readArchive } from "../repository/archive.ts";
import { loadArchive } from "../repository/archives.ts";
import type { ArchiveObjects } from "../repository/objects.ts";
import { createRoom } from "../repository/room.ts";
import { findRunnable, findStoredCode } from "../registry/servers/get.ts";
import { ensureSetup } from "../setup/setup.ts";
import type { Bytecode } from "../packages/bytecode.ts";
import type { PackageFiles } from "../packages/files.ts";
import { egressOf } from "./egress.ts";
import { listenForSessions } from "./session_events.ts";
import { startImages } from "./images.ts";
import { startBytecode, startPackageFiles } from "./packages/files.ts";
import type { GivePackages } from "./packages/packages.ts";
import { nodeOf, runtimeOf } from "./parked.ts";
import { readingDeps } from "./permissions.ts";

/** An entrypoint gets as long as a call, and what it takes to unpack and import it. */
const LOAD_EXTRA_MS = 15_000;
/** Archives that are unpacked for sessions at once, and that wait for it. */
const UNPACKING = { places: 2, waiting: 64 };

export interface ExecutionOptions {
  config: Config;
  sql: Sql;
  hosts: SessionHosts & SpareHosts;
  /** Where parked sessions go that leave this node; absent: nowhere. */
  depot?: Depot | undefined;
  /** Puts resolved packages where sessions get them; absent where they have none of their own. */
  givePackages?: GivePackages;
  /** Where archives are that are not in the database. */
  objects: ArchiveObjects | null;
  egressPolicy: EgressPolicy;
  log: Logger;
  authenticate: (authorization: string) => Promise<{ userId: string; isAdmin: boolean }>;
  /** Takes note of what a policy refused, and of what was ended for what it did. */
  noteRefusal: (refusal: Refusal) => void;
  /** Absent while payments are off. */
  checkPayment?: AdmissionDeps["checkPayment"];
  keptValues: NonNullable<ExecutionDeps["keptValues"]>;
  currentValue?: NonNullable<ExecutionDeps["currentValue"]>;
  keptOrigins?: ExecutionDeps["keptOrigins"];
  keepsValues: boolean;
  /** Takes note of a call of a tool that has ended; absent: nobody does. */
  noteCall?: (call: ToolCall) => void;
  /** Where Berth and its database listen. */
  endpoints: OwnEndpoint[];
}

/** What waits for clients, and what the processes take. */
export interface NodeUsage {
  /** Booted sessions of no server. */
  warm: number;
  /** Sessions of servers in demand. */
  spare: number;
  hosts: { pid: number; memory: number; processorMs: number }[];
  images: HostStats["images"];
}

/** The running execution side of this node. */
export interface ExecutionSide extends
  Pick<
    Execution,
    "transport" | "endServerSessions" | "live" | "metrics" | "beginShutdown" | "beginDrain"
  > {
  /** Lets in what other nodes forward; absent where there are none. */
  gate?: Gate | undefined;
  /** What the session hosts use, by the system's word. */
  usage(): Promise<NodeUsage>;
  /** Throws while no session could be started here. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The rules of `EGRESS_ALLOW` and `EGRESS_HOSTS`.
 *
 * @throws {ConfigError} Naming the entry that cannot be read.
 */
export function egressPolicyOf(config: Config): EgressPolicy {
  try {
    return parseEgressPolicy(config.EGRESS_ALLOW, config.EGRESS_HOSTS);
  } catch (error) {
    if (error instanceof TypeError) throw new ConfigError([error.message]);
    throw error;
  }
}

/** Most sessions of this node. */
export function maxSessionsOf(config: Config): number {
  return config.MAX_SESSIONS ??
    defaultMaxSessions(Deno.systemMemoryInfo().total, process.constrainedMemory());
}

/** How far session hosts stand back for Berth itself. */
const HOST_NICENESS = 5;

/** The session hosts of this node, and what it makes and keeps for their sessions. */
export type RunningHosts = SessionHosts & SpareHosts & {
  readonly packageFiles: PackageFiles;
  readonly bytecode: Bytecode;
  /** What parked sessions of other nodes need to go on here. */
  readonly runtime: NodeRuntime;
};

/** Prepares the interpreter where that is needed, and begins to boot the first sessions. */
export async function startHosts(
  config: Config,
  { log, health }: { log: Logger; health: Health },
): Promise<RunningHosts> {
  const interpreter = await ensureSetup({
    dataDir: config.DATA_DIR,
    log: (line) => log.info("setup", { step: line }),
  });
  const walls = await raiseHostWalls({
    interpreter: interpreter.folder,
    sessionsPerHost: config.SESSIONS_PER_HOST,
    memoryMb: config.SESSION_MEMORY_MB,
    niceness: HOST_NICENESS,
  });
  for (const { wall, why } of walls.missing) {
    log.warn("sandbox.wall_missing", { of: "sessions", wall, why });
  }
  health.note("session_walls", wallsHealth(walls.missing));
  log.info("sandbox.walls", {
    user: walls.uid ?? "Berth's",
    controlGroups: walls.groups?.folder ?? "none",
  });
  const images = await startImages(config, interpreter, log);
  const made = images?.made;
  const packageFiles = startPackageFiles(config, interpreter);
  const bytecode = startBytecode(config, { interpreter, packageFiles, made, log });
  const runtime = await runtimeOf(config, interpreter.folder, images?.store ?? null);
  const hosts = createSessionHosts({
    interpreter,
    made,
    holdPackages: (files) => packageFiles.hold(files),
    withPackages: config.INTERPRETER_PROFILE === "full",
    memoryMb: config.SESSION_MEMORY_MB,
    sessionsPerHost: config.SESSIONS_PER_HOST,
    warmSessions: config.WARM_SESSIONS,
    maxSessions: maxSessionsOf(config),
    loadDeadlineMs: config.CALL_TIMEOUT_SECONDS * 1000 + LOAD_EXTRA_MS,
    walls,
    log,
  });
  const endHosts = hosts.close.bind(hosts);
  return Object.assign(hosts, {
    packageFiles,
    bytecode,
    runtime,
    async close() {
      await Promise.all([endHosts(), bytecode.close()]);
    },
  });
}

function settingsOf(config: Config): ExecutionSettings {
  return {
    authentication: needsToken(config) ? "required" : "optional",
    profile: config.INTERPRETER_PROFILE,
    toolsPolicy: config.TOOLS_POLICY,
    idleSeconds: config.SESSION_IDLE_SECONDS,
    callTimeoutSeconds: config.CALL_TIMEOUT_SECONDS,
    maxSessions: maxSessionsOf(config),
    sessionsPerClient: config.SESSIONS_PER_CLIENT,
    callsPerMinute: config.CALLS_PER_MINUTE,
    spareSessions: config.SPARE_SESSIONS,
    parkAfterSeconds: config.PARK_AFTER_SECONDS,
    parkedMb: config.PARKED_MB,
  };
}

function executionOf(options: ExecutionOptions, node: SharingNode | undefined): Execution {
  const { config, sql, log, hosts, noteRefusal } = options;
  return createExecution({
    sql,
    hosts,
    depot: options.depot,
    ownership: node?.membership,
    forward: node?.forward,
    spareHosts: hosts,
    egress: egressOf(options),
    log,
    clock: systemClock,
    newId: () => crypto.randomUUID(),
    findRunnable: (name) => findRunnable(sql, name),
    ...readingDeps(config, sql),
    async stored(name, sha256) {
      const { scanned, resolved } = await findStoredCode(sql, name, sha256);
      return { scanned, packages: await options.givePackages?.(resolved) };
    },
    policy: config.EXECUTION_POLICY,
    capabilities: config.CAPABILITY_POLICY,
    loadArchive: (sha256) => loadArchive(sql, sha256, options.objects),
    readArchive,
    room: createRoom(UNPACKING),
    authenticate: options.authenticate,
    onRefused: ({ server, userId, requestId, details }) =>
      noteRefusal({
        action: "execution.refuse",
        actor: userId,
        subject: server,
        requestId,
        details,
      }),
    onToolRefused: ({ server, tool }) =>
      noteRefusal({
        action: "execution.tool_refused",
        actor: SYSTEM_ACTOR,
        subject: server,
        requestId: "",
        details: { tool },
      }),
    keptValues: options.keptValues,
    ...(options.currentValue === undefined ? {} : { currentValue: options.currentValue }),
    ...(options.keptOrigins === undefined ? {} : { keptOrigins: options.keptOrigins }),
    ...(options.noteCall === undefined ? {} : { onToolCall: options.noteCall }),
    keepsValues: options.keepsValues,
    keysPage: (server) => `${registryUrl(config)}/servers/${server}/keys`,
    ...(options.checkPayment === undefined ? {} : { checkPayment: options.checkPayment }),
    failureOf: failureEnvelope,
    settings: settingsOf(config),
  });
}

export async function startExecution(options: ExecutionOptions): Promise<ExecutionSide> {
  const { config, sql, log, hosts } = options;
  hosts.onKill(({ server, reason, message }) =>
    options.noteRefusal({
      action: "execution.kill",
      actor: SYSTEM_ACTOR,
      subject: server,
      kind: reason,
      requestId: "",
      details: { reason, message },
    })
  );
  const node = await nodeOf(config, log, () => execution.endLapsed());
  const execution = executionOf(options, node);
  await node?.membership.start();
  const stopListening = await listenForSessions(sql, log, execution);
  let warmedUp = config.WARM_SESSIONS === 0;
  return {
    transport: execution.transport,
    gate: node?.gate,
    endServerSessions: execution.endServerSessions,
    live: execution.live,
    beginShutdown: execution.beginShutdown,
    beginDrain: execution.beginDrain,
    metrics: execution.metrics,
    async usage() {
      const { pids, warm, images } = hosts.stats();
      const used = await readUsage(pids);
      const { waiting: spare } = execution.metrics.spares;
      return { warm, spare, images, hosts: [...used].map(([pid, usage]) => ({ pid, ...usage })) };
    },
    // Once a session has booted here, a node whose warm ones are all in use is still ready.
    check() {
      warmedUp ||= hosts.stats().warm > 0 || hosts.stats().sessions > 0;
      return warmedUp ? Promise.resolve() : Promise.reject(new Error("No session has started yet"));
    },
    async close() {
      await stopListening();
      await execution.close();
      await node?.membership.close();
    },
  };
}
