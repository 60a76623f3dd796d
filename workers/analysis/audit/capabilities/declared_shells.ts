/**
 * Shells behind tools for commands, where the command gets there by ways that flows do not follow:
 * through a queue, an object's fields, a list of functions.
 *
 * @module
 */
import type { RawFinding } from "../../finding.ts";
import type { Project } from "../../project.ts";
import type { PythonNames } from "../../python/names.ts";
import { argumentsOf, dottedText } from "../../python/names.ts";
import { calleeOf } from "../../python/calls/callee.ts";
import { sinkOf } from "../../python/calls/sinks.ts";
import { plainValue, valuesOf } from "../../python/values/assigned.ts";
import { docstringOf } from "../../python/values/literals.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { declaredOf } from "../flow/starting/declared_values.ts";
import { isHarmlessDefault, statedText } from "../flow/starting/defaults.ts";
import { parametersOf } from "../flow/parameters.ts";
import { createReached } from "../mcp/reached.ts";
import type { DeclaredRun, Entry } from "./declared_runs.ts";
import { addsCommands } from "./added_commands.ts";
import { isForRunning, purposesOf } from "./purpose.ts";
import { parameterTexts } from "./parameter_texts.ts";

const SHELL = /^(S602|S605|py\/shell-argument)$/;
const CALLS = nodeTypes("call");
const DEFINITIONS = nodeTypes("function_definition");

const lineKey = (file: string, line: number) => `${file}\0${line}`;

/** Lines of calls that entries reach, with those entries. */
function reachedLines(project: Project, entries: readonly Entry[]): Map<string, Entry[]> {
  const running = project.trees.filter((tree) => project.mayRun(tree));
  const reached = createReached(project, running);
  const lines = new Map<string, Entry[]>();
  for (const entry of entries) {
    for (const { tree, node } of reached(entry.names.tree, entry.definition)) {
      const key = lineKey(tree.path, tree.lineAt(node.start));
      lines.set(key, [...lines.get(key) ?? [], entry]);
    }
  }
  return lines;
}

/** Whether one of its parameters is for a command, and none of these has one by itself. */
function takesCommand({ names, definition, given }: Entry): boolean {
  const meant = [...given.keys()].filter((each) =>
    isForRunning("commands", each, parameterTexts(names, definition, each))
  );
  return meant.length > 0 &&
    meant.every((each) => declaredOf(names, definition, each)?.plain !== false);
}

const MAX_HOPS = 6;

/** Whether a text of the source may be what an expression runs. */
function mayBeStated(names: PythonNames, expression: SyntaxNode, hops = 0): boolean {
  const node = plainValue(expression);
  if (hops > MAX_HOPS) return true;
  const any = (all: readonly SyntaxNode[]) =>
    all.some((each) => mayBeStated(names, each, hops + 1));
  switch (node.type) {
    case "string":
    case "concatenated_string":
      return statedText(names, node) !== null && !isHarmlessDefault(names, node);
    case "identifier":
    case "attribute":
      return statedText(names, node) !== null && !isHarmlessDefault(names, node) ||
        any(valuesOf(names, node).values);
    case "conditional_expression":
      return any([node.children[0]!, node.children.at(-1)!]);
    case "boolean_operator":
    case "tuple":
    case "list":
      return any(named(node));
    case "call": {
      const callee = child(node, "function");
      const method = callee?.type === "attribute" ? child(callee, "attribute") : null;
      const { positional, keywords } = argumentsOf(names.tree, node);
      const isGet = method !== null && /^(get|pop|setdefault)$/.test(textOf(names.tree, method));
      const isField = /(^|\.)[fF]ield$/.test(callee === null ? "" : textOf(names.tree, callee));
      return isField ? !isHarmlessDefault(names, node) : isGet && any(positional.slice(1)) ||
        any([keywords.get("default")].filter((each) => each !== undefined));
    }
    default:
      return false;
  }
}

/** Whether what is run at a line may be a command of the source. */
function runsStated(names: PythonNames, line: number): boolean {
  return [...walk(names.tree.root, CALLS)].some((call) => {
    const { tree } = names;
    if (tree.lineAt(call.start) > line || tree.lineAt(call.end) < line) return false;
    const callee = child(call, "function");
    if (sinkOf(callee === null ? "" : calleeOf(names, callee)?.name ?? "") === null) return false;
    const { positional, keywords } = argumentsOf(tree, call);
    const command = positional[0] ?? keywords.get("args") ?? keywords.get("cmd");
    return command !== undefined && mayBeStated(names, command);
  });
}

/** A function that is a tool for commands in all but its declaration: what it runs is its parameter. */
function ownTool(names: PythonNames, line: number): string | null {
  const { tree } = names;
  let around: SyntaxNode | null = null;
  for (const node of walk(tree.root, DEFINITIONS)) {
    if (tree.lineAt(node.start) <= line && tree.lineAt(node.end) >= line) around = node;
  }
  if (around === null) return null;
  const name = textOf(tree, child(around, "name")!);
  const description = docstringOf(tree.text, child(around, "body"));
  if (!purposesOf({ name, description }).has("commands")) return null;
  const parameters = new Set(parametersOf(names, around).map((each) => each.name));
  for (const node of walk(around, CALLS)) {
    if (tree.lineAt(node.start) > line || tree.lineAt(node.end) < line) continue;
    const [first] = argumentsOf(tree, node).positional;
    const own = first === undefined ? null : dottedText(tree, first);
    const isMeant = own !== null && parameters.has(own) &&
      isForRunning("commands", own, parameterTexts(names, around, own));
    if (isMeant) return name;
  }
  return null;
}

/** What of the findings is a tool's purpose, with the findings that say so. */
export function declaredShells(
  findings: readonly RawFinding[],
  entries: readonly Entry[],
  project: Project,
): { runs: DeclaredRun[]; declared: RawFinding[] } {
  const shells = findings.filter(({ rule, severity }) => severity === "high" && SHELL.test(rule));
  if (shells.length === 0) return { runs: [], declared: [] };
  // On such ways nobody sees what a command is made of.
  const running = project.trees.filter((tree) => project.mayRun(tree));
  const adding = running.some(({ path }) => {
    const names = project.python.get(path);
    return names !== undefined && addsCommands(names);
  });
  if (adding) return { runs: [], declared: [] };
  const lines = reachedLines(project, entries);
  const runs: DeclaredRun[] = [];
  const declared: RawFinding[] = [];
  for (const finding of shells) {
    const { file, line } = finding;
    const there = project.python.get(file);
    if (there !== undefined && runsStated(there, line)) continue;
    const by = lines.get(lineKey(file, line)) ?? [];
    const saying = by.map((entry) =>
      takesCommand(entry) ? entry.tools.filter((tool) => purposesOf(tool).has("commands")) : []
    );
    const own = by.length === 0 && there !== undefined ? ownTool(there, line) : null;
    const all = by.length > 0 && saying.every((tools) => tools.length > 0);
    if (!all && own === null) continue;
    const tools = own === null ? saying.flat().map(({ name }) => name) : [own];
    runs.push({ kind: "commands", tools: [...new Set(tools)].sort(), file, line });
    declared.push(finding);
  }
  return { runs, declared };
}
