/**
 * Stage 5 on Python: ruff's security rules, own patterns, and what tool parameters and secrets of
 * the machine reach.
 *
 * @module
 */
import { inReportOrder, type RawFinding } from "../finding.ts";
import type { AnalyserInput } from "../analyser.ts";
import type { Project } from "../project.ts";
import { type ModuleNodes, readNodes } from "../python/module_nodes.ts";
import { type PythonNames, readNames } from "../python/names.ts";
import { parseSource } from "../syntax/source_tree.ts";

import { child, type SyntaxNode, walk } from "../syntax/tree.ts";
import type { ToolDeclaration } from "../tools/declaration.ts";
import { createFlow, parametersOf } from "./flow/flow.ts";
import { functionFinder } from "./flow/functions.ts";
import { judge, judgeResult } from "./flow/judge.ts";
import type { Scope } from "./flow/labels.ts";
import type { AuditedServer } from "./mcp/server.ts";
import { pythonCalls } from "./python_calls.ts";
import { pythonCosts } from "./python_costs.ts";
import { pythonMalice } from "./python_malice.ts";
import { tellTaleStrings } from "./python_strings.ts";
import { pythonPatterns } from "./python_patterns.ts";
import { sqlText } from "./python_sql.ts";
import { ruffSecurity } from "./python_ruff.ts";

/** Types that leave a caller no room for text of its own. */
const HARMLESS_TYPE =
  /^(Optional\[)?(int|float|bool|complex|Decimal|date|datetime|UUID|Literal\[.*|Context(\[.*)?)(\s*\|\s*None)?\]?$|(^|\.)Context(\[|$)/;

function callerScope(names: PythonNames, definition: SyntaxNode): Scope {
  const scope: Scope = new Map();
  for (const { name, type } of parametersOf(names, definition)) {
    if (name === "self" || name === "cls" || name === "ctx" || HARMLESS_TYPE.test(type)) continue;
    scope.set(name, new Set([`tool:${name}`]));
  }
  return scope;
}

function flows(
  project: Project,
  tools: readonly ToolDeclaration[],
  handlers: AuditedServer["entries"],
  input: AnalyserInput,
): RawFinding[] {
  const findings: RawFinding[] = [];
  const flow = createFlow(functionFinder(project.python), (call) => {
    const finding = judge(call);
    if (finding !== null) findings.push(finding);
  });
  const entries = new Map<SyntaxNode, PythonNames>();
  for (const { bodyTree, body } of tools) {
    if (body) entries.set(body, project.python.get(bodyTree.path)!);
  }
  for (const { tree, body } of handlers) entries.set(body, project.python.get(tree.path)!);
  for (const tree of project.trees) {
    if (!project.mayRun(tree)) continue;
    input.begin(tree.path);
    const names = project.python.get(tree.path)!;
    // Secrets of the machine need no caller: every function and the module itself.
    flow.follow(names, tree.root, new Map());
    for (const node of walk(tree.root)) {
      if (node.type === "function_definition") flow.follow(names, child(node, "body")!, new Map());
    }
  }
  for (const [definition, names] of entries) {
    input.begin(names.tree.path);
    const body = child(definition, "body");
    if (body !== null) flow.follow(names, body, callerScope(names, definition));
    const given = judgeResult(names, definition, flow.resultOf(names, definition));
    if (given !== null) findings.push(given);
  }
  return findings;
}

/** ruff's findings, and those of ours for which ruff has none of this weakness on their lines. */
function withFallback(ruff: readonly RawFinding[], fallback: readonly RawFinding[]): RawFinding[] {
  const said = Map.groupBy(ruff, ({ file, cwe }) => `${file}\0${cwe}`);
  const silent = fallback.filter(({ file, cwe, line, end_line }) =>
    !(said.get(`${file}\0${cwe}`) ?? []).some((each) =>
      each.line <= end_line && each.end_line >= line
    )
  );
  return [...ruff, ...silent];
}

/** Lines of a long statement that a finding speaks for. */
const MAX_COVERED = 100;

/** One finding for a weakness of a line: the worst own one, else ruff's. */
function withoutEchoes(own: readonly RawFinding[], ruff: readonly RawFinding[]): RawFinding[] {
  const key = ({ file, line, cwe }: RawFinding) => `${file}\0${line}\0${cwe}`;
  const said = new Map<string, RawFinding>();
  for (const each of inReportOrder(own, own.length)) {
    if (!said.has(key(each))) said.set(key(each), each);
  }
  const covered = new Set<string>();
  for (const each of said.values()) {
    const last = Math.min(each.end_line, each.line + MAX_COVERED);
    for (let line = each.line; line <= last; line++) covered.add(key({ ...each, line }));
  }
  return [...said.values(), ...ruff.filter((each) => !covered.has(key(each)))];
}

/** What can be told from one file. */
function patternsOf(names: PythonNames, nodes: ModuleNodes): RawFinding[] {
  const strings = nodes.of("string");
  return [
    ...pythonPatterns(names, nodes),
    ...pythonMalice(names, nodes),
    ...pythonCosts(names, nodes),
    ...tellTaleStrings(names.tree, strings),
    ...sqlText(names.tree, strings),
  ];
}

/** All findings of a Python project; `handlers` are functions that clients call without a tool. */
export async function auditPython(
  project: Project,
  tools: readonly ToolDeclaration[],
  handlers: AuditedServer["entries"],
  input: AnalyserInput,
): Promise<RawFinding[]> {
  const ruff: RawFinding[] = [];
  const own: RawFinding[] = [];
  function look(names: PythonNames): void {
    const nodes = readNodes(names);
    ruff.push(...withFallback(ruffSecurity(names.tree), pythonCalls(names, nodes)));
    own.push(...patternsOf(names, nodes));
  }
  for (const tree of project.trees) {
    input.begin(tree.path);
    look(project.python.get(tree.path)!);
  }
  for (const source of project.beyond) {
    // Too much to hold at once: what needs one file only is still looked for.
    input.begin(source.path);
    const tree = await parseSource(source);
    if (typeof tree !== "string") look(readNames(tree));
  }
  own.push(...flows(project, tools, handlers, input));
  return withoutEchoes(own, ruff);
}
