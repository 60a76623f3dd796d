/**
 * From a registered server to an interpreter that has run its entrypoint.
 *
 * @module
 */
import { CODES, type RpcError } from "../../protocol/json_rpc.ts";
import type { ServerInfo } from "../../protocol/mcp.ts";
import { countedStart, type Start, type StartMetrics } from "../calls/starts.ts";
import type { EgressBroker } from "../../egress/broker.ts";
import type { CurrentValue, SealedSecret } from "../../egress/types.ts";
import type { SessionEnvironment } from "./environment.ts";
import type { SessionHosts } from "../hosts/types.ts";
import type {
  Interpreter,
  InterpreterInput,
  LoadOutcome,
  ParkedState,
  RefusedConstruct,
} from "../interpreters/types.ts";
import type { SessionEvents } from "../spares/late.ts";
import type { Spares } from "../spares/spares.ts";
import type { RunnableServer } from "../types.ts";
import { createParkable, type ParkingDeps } from "../parked/parking.ts";
import { type Left, neverParked, type SessionInterpreter } from "../parked/session_interpreter.ts";
import { type ServerCode, serverCode, type ServerCodeDeps } from "./server_code.ts";

export interface LaunchDeps extends ServerCodeDeps {
  hosts: SessionHosts;
  egress: EgressBroker;
  /** Absent where there are none. */
  spares?: Pick<Spares, "take" | "began">;
  /** How idle sessions are parked; absent: they are not. */
  parking?: ParkingDeps | undefined;
  /** Counts what comes of starts; absent: nobody does. */
  starts?: StartMetrics | undefined;
}

/** What a client session wants to hear of its interpreter. */
export type ServerEvents = Pick<
  InterpreterInput,
  "onLog" | "onNotification" | "onCloseStream" | "ask" | "onEnd"
>;

/** What a client session gives its interpreter, and wants to hear of it. */
export interface LaunchInput extends ServerEvents {
  environment: SessionEnvironment;
  /** What the code uses without having it. */
  sealed: readonly SealedSecret[];
  /** Looks up the value of one that changes. */
  current?: (name: string) => Promise<CurrentValue>;
  /** Takes values out of what its operator reads. */
  mask: (text: string) => string;
  /** Whose session it is: `key` of a client. */
  client: string;
}

/** An interpreter with a loaded server. */
export interface Running {
  kind: "running";
  interpreter: SessionInterpreter;
  info: ServerInfo;
  /** Files of the server's own packages, by package. */
  packages: Record<string, string>;
}

/** An interpreter with a loaded server, or why there is none. */
export type Launched =
  | Running
  /** The profile refuses the code: every session of this archive would end the same. */
  | { kind: "refused"; error: RpcError }
  /** The code raised: another try may go better. */
  | { kind: "raised"; error: RpcError };

/** Begins a session, or goes on with one. */
export type Run = (input: LaunchInput) => Promise<Launched>;

const PROBLEMS_SHOWN = 20;
/** Why, the last lines that the program wrote, and which variables were missing. */
const MESSAGE_MAX_CHARS = 5000;
const TRACEBACK_MAX_CHARS = 4000;

/** What all interpreters of one session are started with. */
function prepare(deps: LaunchDeps, server: RunnableServer, input: LaunchInput, start?: Start) {
  const session = { running: true, code: null as ServerCode | null };
  const events: SessionEvents = {
    onLog: input.onLog,
    onNotification: input.onNotification,
    onCloseStream: input.onCloseStream,
    ask: input.ask,
    http: deps.egress.open(server.name, {
      mask: input.mask,
      secrets: input.sealed,
      current: input.current,
    }),
    onEnd(reason) {
      if (session.running && reason !== "parked") input.onEnd(reason);
    },
  };
  // A session goes on with what it began with, whatever becomes of its server.
  const open = async (parked?: ParkedState) =>
    await deps.hosts.open({
      ...session.code ??= await serverCode(deps, server),
      client: input.client,
      environment: { ...input.environment },
      parked,
      ...(start === undefined ? {} : { onPlace: (place) => void (start.kind = place) }),
      ...events,
    });
  const keep = ({ image }: ParkedState) =>
    deps.hosts.keep({ image, packages: session.code?.packages });
  const own = (began: Interpreter | Left, parking: ParkingDeps) => {
    const { client } = input;
    return createParkable(
      { began, wake: open, keep, onLost: events.onEnd, server: server.name, client },
      parking,
    );
  };
  return { session, events, open, own };
}

/**
 * Starts an interpreter for `server` and runs its entrypoint, or takes one where that has been done.
 *
 * @throws {AppError} `unavailable` when no interpreter could be started.
 */
export async function launch(
  deps: LaunchDeps,
  server: RunnableServer,
  input: LaunchInput,
): Promise<Launched> {
  return await countedStart(
    deps.starts,
    server.name,
    (start) => launchCounted(deps, server, input, start),
  );
}

async function launchCounted(
  deps: LaunchDeps,
  server: RunnableServer,
  input: LaunchInput,
  start: Start,
): Promise<Launched> {
  // A spare session has run code that would have read them.
  const spares = Object.keys(input.environment).length === 0 ? deps.spares : undefined;
  const { parking } = deps;
  const { session, events, open, own } = prepare(deps, server, input, start);
  const running = (interpreter: Interpreter, info: ServerInfo): Running => {
    spares?.began(server.name);
    return {
      kind: "running",
      interpreter: parking === undefined ? neverParked(interpreter) : own(interpreter, parking),
      info,
      packages: packagesOf(session.code!),
    };
  };
  const spare = spares?.take(server, input.client, events) ?? null;
  if (spare !== null) {
    start.kind = "spare";
    session.code = spare.code;
    return running(spare.interpreter, spare.info);
  }
  const interpreter = await open();
  if (interpreter.load.kind === "loaded") return running(interpreter, interpreter.load.info);
  // Its end is no news to anyone: there will be no session on it.
  session.running = false;
  await interpreter.close();
  return failureOf(interpreter.load, deps.profile);
}

/** Files of the packages of its own, which say their digests. */
function packagesOf({ packages }: ServerCode): Record<string, string> {
  return packages?.files ?? {};
}

/**
 * Has a session of `server` that was parked elsewhere go on here: its next request wakes it. Null when
 * its packages are not what they were.
 */
export async function goOn(
  deps: LaunchDeps,
  server: RunnableServer,
  input: LaunchInput,
  { left, packages }: { left: Left; packages: Record<string, string> },
): Promise<Running | null> {
  const { session, own } = prepare(deps, server, input);
  session.code = await serverCode(deps, server);
  const now = packagesOf(session.code);
  const names = new Set([...Object.keys(now), ...Object.keys(packages)]);
  if ([...names].some((name) => now[name] !== packages[name])) return null;
  return { kind: "running", interpreter: own(left, deps.parking!), info: left.info, packages };
}

function failureOf(
  load: Exclude<LoadOutcome, { kind: "loaded" }>,
  profile: LaunchDeps["profile"],
): Launched {
  if (load.kind === "refused") {
    return { kind: "refused", error: refusedError(load.problems, profile) };
  }
  const traceback = load.traceback.slice(-TRACEBACK_MAX_CHARS);
  const error = {
    code: CODES.server,
    message: `The server did not start: ${load.message.slice(0, MESSAGE_MAX_CHARS)}`,
    data: {
      reason: "entrypoint_raised",
      traceback,
      ...(load.missing_environment === undefined
        ? {}
        : { missing_environment: load.missing_environment }),
    },
  };
  return { kind: "raised", error };
}

function refusedError(problems: RefusedConstruct[], profile: string): RpcError {
  const shown = problems.slice(0, PROBLEMS_SHOWN);
  const lines = shown.map(({ construct, file, line, hint }) =>
    `${file}:${line}: ${construct}: ${hint}`
  );
  const more = problems.length - shown.length;
  if (more > 0) lines.push(`and ${more} more`);
  return {
    code: CODES.server,
    message: `The server uses features that the ${profile} profile does not support. ` +
      `With INTERPRETER_PROFILE=full, which the operator sets, it may run:\n${lines.join("\n")}`,
    data: { reason: "profile_refused", profile, problems: shown, total: problems.length },
  };
}
