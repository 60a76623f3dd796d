/**
 * Why an entrypoint did not start, as a report says it.
 *
 * @module
 */
import type { BuildFault, BuildProblem, Runs } from "../../scan/build_schema.ts";
import type { LoadOutcome } from "../interpreters/types.ts";
import type { InterpreterProfile } from "../admission/runnable.ts";

/** A start that failed. */
type FailedLoad = Exclude<LoadOutcome, { kind: "loaded" }>;

/** Why a server does not run here, and where people look for it. */
export interface BuildFailure {
  runs: Exclude<Runs, "yes" | "not_tried">;
  problem: BuildProblem;
}

const MESSAGE_MAX = 1000;
const HINT_MAX = 500;
const NAMES_MAX = 10;
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;
/** How the restricted profile calls packages that it lacks. */
const PACKAGE = /^(?:binary wheel|C extension) \((\w+)\)$|^import of (\w+)$/;

const HINTS: Record<BuildFault, string> = {
  syntax_error: "Correct the syntax: Berth runs Python 3.14",
  missing_module: "Add what is missing to the repository, or correct the import",
  missing_package:
    "Add its Python files to the repository, or use a package that docs/python.md lists",
  missing_variable: "Declare them as configuration, in berth.json or on the page Manage. Users " +
    "enter them on the tab Keys, or pass them with a session",
  profile_construct: "Use what the profile has, or run Berth with INTERPRETER_PROFILE=full",
  needs_network: "Send requests in tools rather than while the server starts: a failure there " +
    "keeps the whole server from starting",
  hangs: "Do no lengthy work while the server starts: do it in tools, or when it is first needed",
  memory: "Hold less while the server starts: load data in tools, or in parts",
  exits: "Call run() before the program ends",
  no_server: "Create a server with FastMCP, give it tools, and call run()",
  raised: "Correct what raises the exception",
};

/** As much of it as a report takes, in the server's own words; of a syntax error its last line. */
function short(message: string, kind: BuildFault = "raised"): string {
  const lines = message.slice(0, MESSAGE_MAX).trim().split("\n");
  return kind === "syntax_error" ? lines.at(-1)!.trim() : lines.join("\n");
}

function sentence(hint: string): string {
  const plain = hint.trim().replace(/[.\s]+$/, "").slice(0, HINT_MAX);
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** Only places in the repository are shown: what a server says of itself is not believed. */
function placeIn(
  files: ReadonlyMap<string, unknown>,
  { file, line }: { file: string | null; line: number | null },
): Pick<BuildProblem, "file" | "line"> {
  const known = file !== null && files.has(file);
  return { file: known ? file : null, line: known && line !== null && line >= 1 ? line : null };
}

function refused(
  { problems }: Extract<FailedLoad, { kind: "refused" }>,
  profile: InterpreterProfile,
  files: ReadonlyMap<string, unknown>,
): BuildFailure {
  const [first] = problems;
  if (first === undefined) {
    return raised({ kind: "raised", message: "", traceback: "" }, files, false);
  }
  const { construct, hint } = first;
  const found = PACKAGE.exec(construct);
  const lacked = found?.[1] ?? found?.[2] ?? null;
  const more = problems.length - 1;
  const rest = more > 0 ? ` and ${more} more` : "";
  return {
    runs: "no",
    problem: {
      kind: lacked === null ? "profile_construct" : "missing_package",
      subject: short(lacked ?? construct),
      message: short(`The ${profile} profile does not have: ${construct}${rest}`),
      ...placeIn(files, first),
      hint: sentence(hint),
      variables: [],
    },
  };
}

function raised(
  load: Extract<FailedLoad, { kind: "raised" }>,
  files: ReadonlyMap<string, unknown>,
  usedNetwork: boolean,
): BuildFailure {
  const { cause, missing_environment: missing = [] } = load;
  const variables = missing.filter((name) => NAME.test(name)).slice(0, NAMES_MAX);
  const own = cause?.kind ?? "raised";
  const subject = cause?.subject ?? null;
  const mayWant = own === "raised" || own === "exits" || own === "no_server" || own === "hangs";
  const kind: BuildFault = variables.length > 0 && mayWant
    ? "missing_variable"
    : usedNetwork && mayWant
    ? "needs_network"
    : own;
  const runs = kind === "missing_variable"
    ? "needs_variables"
    : kind === "needs_network"
    ? "needs_network"
    : "no";
  return {
    runs,
    problem: {
      kind,
      subject: kind === own ? subject : null,
      message: short(load.message, kind),
      ...placeIn(files, cause ?? { file: null, line: null }),
      hint: kind === own && cause?.hint ? sentence(cause.hint) : HINTS[kind],
      variables,
    },
  };
}

/**
 * What a start that failed is in a report.
 *
 * @param usedNetwork Whether it sent a request, which a build refuses.
 */
export function failureOf(
  load: FailedLoad,
  { profile, files, usedNetwork }: {
    profile: InterpreterProfile;
    files: ReadonlyMap<string, unknown>;
    usedNetwork: boolean;
  },
): BuildFailure {
  return load.kind === "refused" ? refused(load, profile, files) : raised(load, files, usedNetwork);
}
