/**
 * The build: a server's entrypoint is started once, in a host as sessions have it but without
 * network and variables, its tools are listed, and it is thrown away.
 *
 * @module
 */
import { AppError } from "../../errors.ts";
import type { EgressOutcome } from "../../egress/types.ts";
import type { Logger } from "../../log.ts";
import { createRoom } from "../../repository/room.ts";
import { patience } from "../../sandbox/patience.ts";
import { notTried } from "../../scan/build.ts";
import { packageText } from "../../scan/build_schema.ts";
import type { GivenPackages } from "../../packages/session_packages.ts";
import type { ResolvedPackage } from "../../scan/packages_schema.ts";
import type { BuildOutcome, BuildRequest, BuildServer } from "../../registry/deps.ts";
import {
  type ExecutionPolicy,
  type InterpreterProfile,
  whyNotAdmitted,
} from "../admission/runnable.ts";
import type { SessionHosts } from "../hosts/types.ts";
import type { Interpreter } from "../interpreters/types.ts";
import { listTools } from "./listed_tools.ts";
import { failureOf } from "./problem.ts";

export interface BuilderDeps {
  hosts: Pick<SessionHosts, "open">;
  profile: InterpreterProfile;
  policy: ExecutionPolicy;
  log: Logger;
  newId: () => string;
  /** Puts what was resolved where sessions get it. */
  packages?: (resolved: ResolvedPackage[] | null) => Promise<GivenPackages | undefined>;
  /**
   * Milliseconds the entrypoint may run, and again to list its tools, on a machine with a processor
   * for it; more where it has to wait for one.
   */
  deadlineMs?: number;
  /** By what the deadline is multiplied now. */
  patience?: () => number;
}

/** Longer than honest starts take. */
const DEADLINE_MS = 30_000;
/** Builds at once: each has a host of its own. */
const PLACES = 2;
/** More than there are scans at once. */
const WAITING = 64;

const NO_NETWORK: EgressOutcome = {
  kind: "error",
  error: "refused",
  message: "The server is being started for its security report: there is no network",
};

/** Waits for `work`, or rejects when `signal` aborts; what is left then goes to `drop`. */
async function orDropped<T>(
  work: Promise<T>,
  signal: AbortSignal,
  drop: (value: T) => void,
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, promise]);
  } catch (error) {
    work.then(drop, () => {});
    throw error;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** One start of a server. */
interface Attempt {
  request: BuildRequest;
  profile: InterpreterProfile;
  /** Nobody's: of all sessions only starts of the same build share a host. */
  client: string;
  signal: AbortSignal;
  /** Its host is there. */
  onPlace?: () => void;
}

class ServerBuilder {
  readonly #deps: BuilderDeps;

  constructor(deps: BuilderDeps) {
    this.#deps = deps;
  }

  /** An honest server that only waits for a processor must not be reported as hanging. */
  #deadlineMs(): number {
    const { deadlineMs = DEADLINE_MS } = this.#deps;
    return Math.round(deadlineMs * (this.#deps.patience ?? patience)());
  }

  async #open(
    { request, profile, client, onPlace }: Attempt,
    onNetwork: () => void,
  ) {
    const { server, files, entrypoint, scanned, resolved } = request;
    const { hosts } = this.#deps;
    const packages = profile === "full" ? await this.#deps.packages?.(resolved ?? null) : undefined;
    return await hosts.open({
      server,
      client,
      onPlace,
      files,
      entrypoint,
      profile,
      environment: {},
      scanned,
      imports: scanned?.imports,
      packages,
      loadDeadlineMs: this.#deadlineMs(),
      onLog: () => {},
      onNotification: () => {},
      onCloseStream: () => {},
      ask: () => Promise.resolve({ kind: "error", code: -32601, message: "There is no client" }),
      http() {
        onNetwork();
        return Promise.resolve(NO_NETWORK);
      },
      onEnd: () => {},
    }, { background: true });
  }

  async #outcome(
    interpreter: Interpreter,
    { request, profile, signal }: Attempt,
    { usedNetwork, begun }: { usedNetwork: boolean; begun: number },
  ): Promise<BuildOutcome> {
    const { load } = interpreter;
    const duration = () => Math.round(performance.now() - begun);
    if (load.kind === "loaded") {
      const tools = await listTools(interpreter, { deadlineMs: this.#deadlineMs(), signal });
      const build = {
        runs: "yes" as const,
        profile,
        problem: null,
        reason: null,
        tools_listed: tools?.length ?? null,
        duration_ms: duration(),
      };
      return { build, tools: tools ?? [], again: false };
    }
    if (load.kind === "raised" && load.ended === "shutdown") {
      return { ...notTried("This node was shutting down"), again: true };
    }
    const failure = failureOf(load, { profile, files: request.files, usedNetwork });
    const build = {
      ...failure,
      profile,
      reason: null,
      tools_listed: null,
      duration_ms: duration(),
    };
    return { build, tools: [], again: false };
  }

  /**
   * What comes of starting it in this node's profile, and in the other one where that tells more: what
   * starts in the restricted profile does in the full one, and what starts in neither is no question of
   * profiles.
   */
  async build(request: BuildRequest, signal: AbortSignal): Promise<BuildOutcome> {
    const { profile, newId } = this.#deps;
    const attempt: Attempt = { request, profile, client: `build ${newId()}`, signal };
    if (profile === "full" && request.fitsRestricted === true) return await this.#both(attempt);
    const outcome = await this.#start(attempt);
    return profile === "restricted" && outcome.build.runs === "no"
      ? withOther(outcome, withoutPackages(await this.#start({ ...attempt, profile: "full" })))
      : outcome;
  }

  /** Starts it in the restricted profile as well, beside the full one and in the same host. */
  async #both(attempt: Attempt): Promise<BuildOutcome> {
    const placed = Promise.withResolvers<void>();
    const over = new AbortController();
    const signal = AbortSignal.any([attempt.signal, over.signal]);
    const other = placed.promise.then(() =>
      this.#start({ ...attempt, profile: "restricted", signal })
    );
    other.catch(() => {});
    try {
      const outcome = await this.#start({ ...attempt, onPlace: placed.resolve });
      if (outcome.build.runs !== "yes") return outcome;
      placed.resolve();
      return withOther(outcome, await other);
    } finally {
      over.abort(new Error("The other start says it all"));
    }
  }

  async #start(attempt: Attempt): Promise<BuildOutcome> {
    const { request, signal } = attempt;
    const begun = performance.now();
    let usedNetwork = false;
    const opening = this.#open(attempt, () => usedNetwork = true);
    const drop = (interpreter: Interpreter) => void interpreter.close();
    let interpreter: Interpreter;
    try {
      interpreter = await orDropped(opening, signal, drop);
    } catch (error) {
      signal.throwIfAborted();
      const { log } = this.#deps;
      log.warn("build.not_started", { server: request.server, error });
      const reason = error instanceof AppError ? error.message : "No interpreter could be started";
      return { ...notTried(reason), again: true };
    }
    try {
      return await this.#outcome(interpreter, attempt, { usedNetwork, begun });
    } finally {
      await interpreter.close();
    }
  }
}

/** `outcome` with the other start, if there was one. */
function withOther(outcome: BuildOutcome, { build }: BuildOutcome): BuildOutcome {
  return build.profile === null ? outcome : { ...outcome, other: build };
}

/**
 * A start in the full profile on a node of the restricted one, where servers have no packages of their
 * own: that it lacks one says nothing of a node that would have resolved it.
 */
function withoutPackages(outcome: BuildOutcome): BuildOutcome {
  const { build } = outcome;
  const { problem, runs } = build;
  if (runs !== "no" || problem?.kind !== "missing_package") return outcome;
  const reason = `It needs ${packageText(problem)}, and this node gives servers no packages of ` +
    "their own (INTERPRETER_PROFILE=restricted)";
  return { ...outcome, build: { ...build, runs: "not_tried", problem: null, reason } };
}

/** A builder for this node: two builds at once, the others wait. */
export function createBuilder(deps: BuilderDeps): BuildServer {
  const builder = new ServerBuilder(deps);
  const room = createRoom({ places: PLACES, waiting: WAITING });
  return async (request, signal) => {
    const { lang, scanStatus } = request;
    const refusal = whyNotAdmitted({ lang, scanStatus }, deps.policy);
    if (refusal !== null) return { ...notTried(refusal.message), again: false };
    const building = room(() => {
      signal.throwIfAborted();
      return builder.build(request, signal);
    });
    return await orDropped(building, signal, () => {});
  };
}
