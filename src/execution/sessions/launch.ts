/**
 * From a registered server to an interpreter that has run its entrypoint.
 *
 * @module
 */
import { CODES, type RpcError } from "../../protocol/json_rpc.ts";
import type { ServerInfo } from "../../protocol/mcp.ts";
import type { EgressBroker } from "../../egress/broker.ts";
import type { SealedSecret } from "../../egress/secrets.ts";
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
import {
  createParkable,
  neverParked,
  type ParkingDeps,
  type SessionInterpreter,
} from "./parking.ts";
import { type ServerCode, serverCode, type ServerCodeDeps } from "./server_code.ts";

export interface LaunchDeps extends ServerCodeDeps {
  hosts: SessionHosts;
  egress: EgressBroker;
  /** Absent where there are none. */
  spares?: Pick<Spares, "take" | "began">;
  /** How idle sessions are parked; absent: they are not. */
  parking?: ParkingDeps | undefined;
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
  /** Takes values out of what its operator reads. */
  mask: (text: string) => string;
  /** Whose session it is: `key` of a client. */
  client: string;
}

/** An interpreter with a loaded server, or why there is none. */
export type Launched =
  | { kind: "running"; interpreter: SessionInterpreter; info: ServerInfo }
  /** The profile refuses the code: every session of this archive would end the same. */
  | { kind: "refused"; error: RpcError }
  /** The code raised: another try may go better. */
  | { kind: "raised"; error: RpcError };

const PROBLEMS_SHOWN = 20;
/** Why, the last lines that the program wrote, and which variables were missing. */
const MESSAGE_MAX_CHARS = 5000;
const TRACEBACK_MAX_CHARS = 4000;

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
  // A spare session has run code that would have read them.
  const spares = Object.keys(input.environment).length === 0 ? deps.spares : undefined;
  let running = true;
  const events: SessionEvents = {
    onLog: input.onLog,
    onNotification: input.onNotification,
    onCloseStream: input.onCloseStream,
    ask: input.ask,
    http: deps.egress.open(server.name, { mask: input.mask, secrets: input.sealed }),
    onEnd(reason) {
      if (running && reason !== "parked") input.onEnd(reason);
    },
  };
  // A session goes on with what it began with, whatever becomes of its server.
  let code: ServerCode | null = null;
  const open = async (parked?: ParkedState) =>
    await deps.hosts.open({
      ...code ??= await serverCode(deps, server),
      client: input.client,
      environment: { ...input.environment },
      parked,
      ...events,
    });
  const { parking } = deps;
  const own = (interpreter: Interpreter) =>
    parking === undefined ? neverParked(interpreter) : createParkable(
      { interpreter, wake: open, onLost: events.onEnd, server: server.name, client: input.client },
      parking,
    );
  const spare = spares?.take(server, input.client, events) ?? null;
  if (spare !== null) {
    spares!.began(server.name);
    code = spare.code;
    return { kind: "running", interpreter: own(spare.interpreter), info: spare.info };
  }
  const interpreter = await open();
  if (interpreter.load.kind === "loaded") {
    spares?.began(server.name);
    return { kind: "running", interpreter: own(interpreter), info: interpreter.load.info };
  }
  // Its end is no news to anyone: there will be no session on it.
  running = false;
  await interpreter.close();
  return failureOf(interpreter.load, deps.profile);
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
