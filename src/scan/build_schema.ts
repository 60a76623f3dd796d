/**
 * What the build says: whether the entrypoint started, in a sandbox as sessions have it.
 *
 * @module
 */
import { z } from "zod";
import { plural } from "../text/plural.ts";

/** What keeps an entrypoint from serving. */
export const BUILD_FAULTS = [
  "syntax_error",
  "missing_module",
  "missing_package",
  "missing_variable",
  "profile_construct",
  "needs_network",
  "hangs",
  "memory",
  "exits",
  "no_server",
  "raised",
] as const;
export type BuildFault = (typeof BUILD_FAULTS)[number];

const DESCRIPTION = "yes: it started and listed its tools. no: it did not, see problem. " +
  "needs_variables: it did not start without variables that a client passes. needs_network: it " +
  "uses the network while it starts, which a build does not have. not_tried: see reason";

/** Whether a server runs on the nodes of this installation. */
export const Runs = z.enum(["yes", "no", "needs_variables", "needs_network", "not_tried"])
  .meta({ description: DESCRIPTION });
export type Runs = z.infer<typeof Runs>;

/** Why a server did not start. */
export const BuildProblem = z.object({
  kind: z.enum(BUILD_FAULTS),
  subject: z.string().nullable().meta({
    description: "The module or package that is missing, or the construct",
    example: "torch",
  }),
  message: z.string().meta({ description: "What happened, in part in the server's own words" }),
  file: z.string().nullable().meta({ description: "Path in the repository" }),
  line: z.int().min(1).nullable(),
  hint: z.string().meta({ description: "What to do" }),
  variables: z.array(z.string()).meta({
    description: "Environment variables that it did not find",
  }),
}).meta({ id: "BuildProblem" });
export type BuildProblem = z.infer<typeof BuildProblem>;

/** Something that the code of a server that starts reaches in vain. */
export const Lack = z.object({
  kind: z.enum(["program", "socket", "thread", "package"]),
  subject: z.string().max(300).meta({
    description: "The package, or the function that needs the program, socket or thread",
    example: "subprocess.run",
  }),
  file: z.string().nullable().meta({ description: "Path in the repository" }),
  line: z.int().min(1).nullable(),
  tool: z.string().nullable().meta({
    description: "The tool in whose own code it is; null where other functions need it",
  }),
}).meta({ id: "Lack" });
export type Lack = z.infer<typeof Lack>;

/** What came of starting the entrypoint once, after the five stages. */
export const Build = z.object({
  runs: Runs,
  profile: z.enum(["restricted", "full"]).nullable().meta({
    description: "The interpreter profile that it was started in",
  }),
  problem: BuildProblem.nullable(),
  reason: z.string().nullable().meta({
    description: "Why it was not tried, or what it would do is not known",
  }),
  pending: z.literal(true).optional().meta({
    description: "It was not tried yet: a node that runs servers will, and completes the report",
  }),
  tools_listed: z.int().min(0).nullable().meta({
    description: "How many tools it listed; null where it did not, or more than a list may have",
  }),
  lacks: z.array(Lack).max(100).optional().meta({
    description: "Of a server that starts: what its code uses and no session has. It fails there",
  }),
  duration_ms: z.number().min(0),
}).meta({
  id: "Build",
  description: "What came of starting the entrypoint once. Never part of the verdict",
});
export type Build = z.infer<typeof Build>;

/** A tool that the build listed and the scan did not find in the source. */
export const BuiltTool = z.object({ name: z.string(), description: z.string().nullable() })
  .meta({ id: "BuiltTool" });
export type BuiltTool = z.infer<typeof BuiltTool>;

/** Most tools that are taken from a build. */
export const MAX_BUILT_TOOLS = 1000;

/** What lists say of a build: whether the server runs here, and in a few words why not. */
export const ListedBuild = z.object({
  runs: Runs,
  reason: z.string().nullable().meta({
    description: "Why it does not run; of one that starts, what some of its tools need in vain",
    example: "missing package torch (server.py:3)",
  }),
}).meta({
  id: "ListedBuild",
  description: "Whether it runs on this installation; null where no build has said it",
});
export type ListedBuild = z.infer<typeof ListedBuild>;

const WORDS: Record<BuildFault, string> = {
  syntax_error: "syntax error",
  missing_module: "missing module",
  missing_package: "missing package",
  missing_variable: "missing variable",
  profile_construct: "not in the restricted profile:",
  needs_network: "uses the network while it starts",
  hangs: "does not finish starting",
  memory: "needs too much memory",
  exits: "exits before it serves",
  no_server: "defines no server",
  raised: "raises an exception while it starts",
};

const REASON_MAX = 300;
const NAMES_SHOWN = 5;
const SUBJECT_SHOWN = 80;

function placeOf({ file, line }: Pick<BuildProblem, "file" | "line">): string {
  if (file === null) return "";
  return line === null ? ` (${file})` : ` (${file}:${line})`;
}

const LACKED: Record<Lack["kind"], string> = {
  program: "other programs",
  socket: "sockets",
  thread: "low-level threads",
  package: "",
};
const LACKS_SHOWN = 3;

/** "some tools need other programs (server.py:12) and the package torch", of a server that starts. */
function lacksText(lacks: readonly Lack[]): string | null {
  const texts = lacks.map(({ kind, subject, file, line }) =>
    kind === "package"
      ? `the package ${subject.slice(0, SUBJECT_SHOWN)}`
      : `${LACKED[kind]}${placeOf({ file, line })}`
  );
  if (texts.length === 0) return null;
  const shown = texts.slice(0, LACKS_SHOWN);
  const more = texts.length - shown.length;
  if (more > 0) shown.push(`${more} more`);
  const last = shown.pop()!;
  return `tools need ${shown.length === 0 ? last : `${shown.join(", ")} and ${last}`}`
    .slice(0, REASON_MAX);
}

/**
 * Why a server does not run, or what its tools lack, in a few words with the place; null when
 * nothing is in the way.
 */
export function reasonOf(build: Build): string | null {
  const { problem, reason, lacks = [] } = build;
  if (problem === null) return reason ?? lacksText(lacks);
  const names = problem.variables.slice(0, NAMES_SHOWN).join(", ");
  if (problem.kind === "missing_variable") return `needs ${names}`;
  const subject = problem.subject === null ? "" : ` ${problem.subject.slice(0, SUBJECT_SHOWN)}`;
  return `${WORDS[problem.kind]}${subject}${placeOf(problem)}`.slice(0, REASON_MAX);
}

/** What a row of a list says of a build: the outcome, and the reason in one line. */
export function listedBuild(build: Build): ListedBuild {
  return { runs: build.runs, reason: reasonOf(build) };
}

/** A package without which a server did not start, and where: "torch (server.py:3)". */
export function packageText(problem: BuildProblem): string {
  return `${problem.subject?.slice(0, SUBJECT_SHOWN) ?? "a package"}${placeOf(problem)}`;
}

/** A build in one or two words, for people. */
export const RUNS_LABELS: Record<Runs, string> = {
  yes: "Runs here",
  no: "Does not run here",
  needs_variables: "Needs variables",
  needs_network: "Needs the network",
  not_tried: "Not tried here",
};

/** What the start in the other profile said, in a sentence; null where there was none. */
export function otherSentence(other: Build | undefined): string | null {
  if (other === undefined || other.profile === null) return null;
  const where = `in the ${other.profile} profile`;
  if (other.runs === "yes") return `Starts ${where}`;
  const reason = reasonOf(other);
  if (other.runs === "not_tried") {
    return `Whether it starts ${where} is not known${reason === null ? "" : `. ${reason}`}`;
  }
  return `Does not start ${where}${reason === null ? "" : `: ${reason}`}`;
}

/** A sentence of a build: "Runs here: 3 tools". */
export function buildSentence(build: Build): string {
  const label = RUNS_LABELS[build.runs];
  const { tools_listed: tools } = build;
  const count = tools === null ? [] : [plural(tools, "tool")];
  const reason = reasonOf(build);
  if (build.runs === "yes" && reason !== null) {
    return `Starts here: ${[...count, `but ${reason}`].join(", ")}`;
  }
  const more = build.runs === "yes" ? count[0] ?? null : reason;
  return more === null ? label : `${label}: ${more}`;
}
