/**
 * From a registered server to an interpreter that has run its entrypoint.
 *
 * @module
 */
import { CODES, type RpcError } from "../../protocol/json_rpc.ts";
import type { ScannedCode } from "../../../workers/session/bodies.ts";
import type { ServerInfo } from "../../protocol/mcp.ts";
import type { ArchiveCache } from "./archive_cache.ts";
import type { EgressBroker } from "../../egress/broker.ts";
import { maskOf, type SessionEnvironment } from "./environment.ts";
import type { SessionHosts } from "../hosts/types.ts";
import type {
  Interpreter,
  InterpreterInput,
  LoadOutcome,
  RefusedConstruct,
} from "../interpreters/types.ts";
import type { RunnableServer } from "../types.ts";

export interface LaunchDeps {
  hosts: SessionHosts;
  files: ArchiveCache;
  egress: EgressBroker;
  /** What the scan of an archive read as code; null where it did not say. */
  scannedCode: (server: string, archiveSha256: string) => Promise<ScannedCode | null>;
  profile: "restricted" | "full";
}

/** What a client session wants to hear of its interpreter. */
export type ServerEvents = Pick<
  InterpreterInput,
  "onLog" | "onNotification" | "onCloseStream" | "ask" | "onEnd"
>;

/** What a client session gives its interpreter, and wants to hear of it. */
export interface LaunchInput extends ServerEvents {
  environment: SessionEnvironment;
  /** Whose session it is: `key` of a client. */
  client: string;
}

/** An interpreter with a loaded server, or why there is none. */
export type Launched =
  | { kind: "running"; interpreter: Interpreter; info: ServerInfo }
  /** The profile refuses the code: every session of this archive would end the same. */
  | { kind: "refused"; error: RpcError }
  /** The code raised: another try may go better. */
  | { kind: "raised"; error: RpcError };

const PROBLEMS_SHOWN = 20;
/** Why, the last lines that the program wrote, and which variables were missing. */
const MESSAGE_MAX_CHARS = 5000;
const TRACEBACK_MAX_CHARS = 4000;

/**
 * Starts an interpreter for `server` and runs its entrypoint.
 *
 * @throws {AppError} `unavailable` when no interpreter could be started.
 */
export async function launch(
  deps: LaunchDeps,
  server: RunnableServer,
  input: LaunchInput,
): Promise<Launched> {
  let running = true;
  const [files, scanned] = await Promise.all([
    deps.files(server.archiveSha256, server.folder),
    deps.scannedCode(server.name, server.archiveSha256),
  ]);
  const interpreter = await deps.hosts.open({
    server: server.name,
    client: input.client,
    files,
    scanned,
    imports: scanned?.imports,
    entrypoint: server.entrypoint,
    profile: deps.profile,
    environment: { ...input.environment },
    onLog: input.onLog,
    onNotification: input.onNotification,
    onCloseStream: input.onCloseStream,
    ask: input.ask,
    http: deps.egress.open(server.name, { mask: maskOf(input.environment) }),
    onEnd: (reason) => running && input.onEnd(reason),
  });
  if (interpreter.load.kind === "loaded") {
    return { kind: "running", interpreter, info: interpreter.load.info };
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
