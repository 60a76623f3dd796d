/**
 * Parts what a server does openly, which is a capability, from what none of its tools speaks of.
 *
 * @module
 */
import type { AnalyserInput } from "../../analyser.ts";
import type { RawFinding } from "../../finding.ts";
import type { Project } from "../../project.ts";
import { ancestor } from "../../syntax/tree.ts";
import type { ToolDeclaration } from "../../tools/declaration.ts";
import type { DeclaredRun, Entry } from "../capabilities/declared_runs.ts";
import { said, words } from "../capabilities/purpose.ts";
import type { FindDefinition } from "../flow/starting/changed_values.ts";
import { report } from "../rule.ts";
import { KINDS, type OpenKind, type OpenPlace } from "./kinds.ts";
import { madeAtStart, madeBy } from "./made_calls.ts";
import { placesOf } from "./places.ts";

const MAX_README = 256 * 1024;
/** Whether a tool says that it does something of a kind. */
export function saysKind(kind: OpenKind, { name, description }: ToolDeclaration): boolean {
  const text = `${words(name)}\n${said(description ?? "")}`;
  return KINDS[kind].says.every((pattern) => pattern.test(text));
}

function documented(input: AnalyserInput, kind: OpenKind): boolean {
  const { documented: pattern } = KINDS[kind];
  if (pattern === null) return false;
  return [...input.files].some(([path, bytes]) =>
    /(^|\/)readme[^/]*$/i.test(path) &&
    pattern.test(new TextDecoder().decode(bytes.subarray(0, MAX_README)))
  );
}

/** What is done openly, and findings about the rest. */
export function openly(
  project: Project,
  { tools, entries, find, input }: {
    tools: readonly ToolDeclaration[];
    entries: readonly Entry[];
    find: FindDefinition;
    input: AnalyserInput;
  },
  written: readonly OpenPlace[],
): { runs: DeclaredRun[]; findings: RawFinding[] } {
  const running = project.trees.filter((tree) => project.mayRun(tree));
  const places = [
    ...running.flatMap(({ path }) => {
      const names = project.python.get(path);
      return names === undefined ? [] : placesOf(names);
    }),
    ...written.filter(({ tree }) => project.mayRun(tree)),
  ];
  const found = { runs: [] as DeclaredRun[], findings: [] as RawFinding[] };
  if (places.length === 0) return found;
  const made = entries.map(({ names, definition, tools: of }) => ({
    of,
    calls: madeBy(names, definition, find),
  }));
  const isStarted = madeAtStart(project, find);
  for (const place of places) {
    const { kind, tree, node, title } = place;
    const line = tree.lineAt(node.start);
    const call = node.type === "call" ? node : ancestor(node, "call") ?? node;
    const reaching = made.filter(({ calls }) => calls(tree.path, call)).flatMap(({ of }) => of);
    const saying = (reaching.length > 0 ? reaching : tools).filter((each) => saysKind(kind, each));
    const watches = KINDS[kind].documented !== null;
    const openers = saying.length > 0 || !watches
      ? saying
      : tools.filter((each) => saysKind(kind, each));
    if (openers.length > 0) {
      const names = [...new Set(openers.map((each) => each.name))].sort();
      found.runs.push({ kind, tools: names, file: tree.path, line });
      continue;
    }
    // What nothing calls, as far as the source tells, somebody has to ask for.
    const isAskedFor = reaching.length === 0 && !isStarted(tree.path, call) ||
      watches && documented(input, kind);
    const { rule } = KINDS[kind];
    const severity = isAskedFor ? "medium" : rule.severity;
    found.findings.push(
      report(rule, tree, node, `${title}, and no tool says so`, severity),
    );
  }
  return found;
}
