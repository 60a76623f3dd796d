/**
 * What a report says that a server can do because it is for it: no faults, but what a user should know.
 *
 * @module
 */
import { z } from "zod";
import { CAPABILITY_KINDS } from "./capability_kinds.ts";

/** What a tool may run that its caller writes, and what it may do because it says so. */
export const Runs = z.enum(CAPABILITY_KINDS);
export type Runs = z.infer<typeof Runs>;

/** What becomes of servers with such capabilities (`CAPABILITY_POLICY`). */
export const CAPABILITY_POLICIES = ["show", "ask", "refuse"] as const;
export type CapabilityPolicy = (typeof CAPABILITY_POLICIES)[number];

/** Whether an administrator lets a server run what its callers write (`CAPABILITY_POLICY=ask`). */
export const CapabilityDecision = z.object({
  state: z.enum(["waiting", "allowed", "refused"]),
  reason: z.string().nullable().meta({ description: "The administrator's words" }),
  decided_at: z.iso.datetime().nullable(),
}).meta({ id: "CapabilityDecision" });
export type CapabilityDecision = z.infer<typeof CapabilityDecision>;

export const DeclaredRun = z.object({
  kind: Runs,
  tools: z.array(z.string().max(500)).max(1000),
  file: z.string().max(4096),
  line: z.int().min(1),
});
export type DeclaredRun = z.infer<typeof DeclaredRun>;

/** What the server can do, as its source says it. */
export const Capabilities = z.object({
  runs: z.array(DeclaredRun).meta({
    description: "Where a tool whose declared purpose is to run SQL, commands or code runs what " +
      "its caller wrote, as a whole, and where one does what it says: uses the clipboard, looks at " +
      "the screen, writes instructions to assistants or their settings, talks to a container " +
      "engine, reads variables of other functions (CAPABILITY_POLICY)",
  }),
  hosts: z.array(z.string()).meta({
    description: "Hosts of addresses that its code names; users and callers may name others",
  }),
  files: z.boolean().meta({ description: "Whether its code reads or writes files" }),
  keys: z.array(z.string()).meta({
    description: "Environment variables that it reads and whose names are those of credentials",
  }),
}).meta({ id: "Capabilities" });
export type Capabilities = z.infer<typeof Capabilities>;

const KEY = /(^|_)(KEY|APIKEY|TOKEN|SECRET|PASSWORD|PASSWD|PASS|CREDENTIALS?|PAT|AUTH)(_|$)/i;

/** Variables that hold credentials, by their names. */
export function keysAmong(environment: readonly { name: string }[]): string[] {
  return [...new Set(environment.map(({ name }) => name).filter((name) => KEY.test(name)))].sort();
}

const SAYS: Record<Runs, string> = {
  sql: "runs SQL that its caller writes",
  commands: "runs commands that its caller writes",
  code: "runs code that its caller writes",
  clipboard: "uses the user's clipboard",
  screen: "looks at the user's screen, or listens",
  instructions: "writes files of instructions to assistants",
  assistants: "changes which servers assistants start",
  docker: "talks to the container engine",
  frames: "reads variables of other functions",
};

/** The kinds of what a server runs, each once, in the order of {@link Runs}. */
export function kindsOf(capabilities: Pick<Capabilities, "runs"> | undefined): Runs[] {
  return Runs.options.filter((kind) => capabilities?.runs.some((each) => each.kind === kind));
}

/** What code reaches by itself: hosts that it names, and files. */
export type Reaches = "network" | "files";

/** What a server reaches by what a report says of it. */
export function reachedBy(
  capabilities: Pick<Capabilities, "hosts" | "files"> | undefined,
): Reaches[] {
  if (capabilities === undefined) return [];
  const { hosts, files } = capabilities;
  return [...hosts.length > 0 ? ["network" as const] : [], ...files ? ["files" as const] : []];
}

/** What each of `kinds` lets a caller do: "runs SQL that its caller writes". */
export function kindsInWords(kinds: readonly Runs[]): string[] {
  return kinds.map((kind) => SAYS[kind]);
}

/** What a server runs, in words, each once. */
export function runsInWords({ runs }: Pick<Capabilities, "runs">): string[] {
  return kindsInWords(kindsOf({ runs }));
}
