/**
 * Tools that run what their caller writes because that is what they are for. What reaches a database,
 * a shell or the interpreter then is a capability, not a fault, if every tool by which it gets there
 * says so, and hands on the caller's text as a whole.
 *
 * @module
 */
import type { RawFinding } from "../../finding.ts";
import { valuesOf } from "../../python/values/assigned.ts";
import { argumentsOf, type PythonNames } from "../../python/names.ts";
import { stringValue } from "../../python/values/literals.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child, named, type SyntaxNode } from "../../syntax/tree.ts";
import type { ToolDeclaration } from "../../tools/declaration.ts";
import { Flow, type ProjectFunctions } from "../flow/flow.ts";
import { INJECTION } from "../flow/flow_rules.ts";
import { judge } from "../flow/judge.ts";
import { toolParameter } from "../flow/labels.ts";
import { Scope } from "../flow/scope.ts";
import type { ObservedCall } from "../flow/observed.ts";
import { endsHarmlessly, MIXED } from "../flow/starting/whole.ts";
import type { OpenKind } from "../openly/kinds.ts";
import { runTexts } from "../programs/programs.ts";
import { mayLie, mayRunClass } from "./class_calls.ts";
import { decoratorsKeep } from "./rewritten.ts";
import { isForRunning, purposesOf, saysContainers, saysSql } from "./purpose.ts";
import type { Runs } from "./purpose_languages.ts";
import { parameterTexts } from "./parameter_texts.ts";

/** A function that clients call, with the tools that it may be called for. */
export interface Entry {
  names: PythonNames;
  definition: SyntaxNode;
  tools: readonly ToolDeclaration[];
  /** What its caller gives it. */
  given: Scope;
}

/** What a tool runs for its caller, or does openly, and where. */
export interface DeclaredRun {
  kind: Runs | OpenKind;
  tools: string[];
  file: string;
  line: number;
}

const KINDS: Readonly<Record<string, Runs>> = {
  [INJECTION.sql.id]: "sql",
  [INJECTION.shell.id]: "commands",
  [INJECTION.process.id]: "commands",
  [INJECTION.code.id]: "code",
};

/** How a text may begin before a query that is run inside of it. */
const AROUND_QUERY =
  /^\w*["']{1,3}\s*(?:(?:explain|profile|analyze|describe|desc|show\s+plan\s+for)\b[\s\w(),=]*|(?:select|with|copy|create|insert)\b[^"'?]*\(\s*)$/i;
const QUERY_NAME = /sql|quer|stmt|statement|cypher|select/i;
const CONTAINERS = /\.containers\.(run|create)$|\.create_container$/;
const COMMAND_NAME = /^(?:\w+_)?(?:command|cmd|commands|command_line|cmdline|cli_command)$/i;
const MAX_PARTS = 40;
const LISTS = /^(list|tuple|list_splat)$/;
const NAMES = /^(identifier|attribute|subscript|list_splat)$/;
const LINES = /^(binary_operator|concatenated_string)$/;
/** A word of the source that is no program text. */
const WORD = /^[^\s;|&`$<>()]{0,200}$/;

function isCommand(parameter: string | null): boolean {
  return parameter !== null && COMMAND_NAME.test(parameter);
}

/** The words of a command line that is written as a list, also by a name or as a sum of lists. */
function* words(names: PythonNames, expressions: Iterable<SyntaxNode>): Generator<SyntaxNode> {
  let left = MAX_PARTS;
  const waiting = [...expressions];
  for (let node = waiting.shift(); node !== undefined && left-- > 0; node = waiting.shift()) {
    const { values } = node.type === "identifier" ? valuesOf(names, node) : { values: [] };
    const lists = [node, ...values].filter(({ type }) => LISTS.test(type));
    const sides = node.type === "binary_operator" ? named(node) : [];
    if (lists.length > 0) waiting.unshift(...lists.flatMap((each) => named(each)));
    else if (sides.some(({ type }) => LISTS.test(type))) waiting.unshift(...sides);
    else yield node;
  }
}

/** `f"EXPLAIN {query}"`, `f"SELECT * FROM ({query})"`: a whole query inside of a fixed one. */
function holdsQuery(call: ObservedCall, node: SyntaxNode): boolean {
  if (node.type !== "string") return false;
  const { text } = call.names.tree;
  const inner = node.children.filter(({ type }) => type === "interpolation");
  const strange = inner.filter((each) => toolParameter(call.labels(each)) !== null);
  const [query] = strange;
  if (strange.length !== 1 || query === undefined) return false;
  const expression = child(query, "expression") ?? named(query)[0];
  if (expression === undefined) return false;
  return QUERY_NAME.test(textOf(call.names.tree, expression)) && call.whole(expression) &&
    AROUND_QUERY.test(text.slice(node.start, query.start)) &&
    endsHarmlessly(call.names, node, query);
}

/** What a call runs; not the values beside it, the folder or the input. */
function runBy({ given: { positional, keywords } }: ObservedCall, kind: Runs): SyntaxNode[] {
  const named = ["args", "cmd", "command", "sql", "query", "statement", "operation", "source"]
    .flatMap((key) => keywords.get(key) ?? []);
  return [...kind === "commands" ? positional : positional.slice(0, 1), ...named];
}

/** Whether a word of a command line is the caller's, taken apart and checked by ways unknown. */
function isCheckedWord(call: ObservedCall, word: SyntaxNode): boolean {
  const labels = call.labels(word);
  return NAMES.test(word.type) && isCommand(toolParameter(labels)) && !labels.has(MIXED);
}

/** Whether a command line runs the caller's text and nothing of the source's beside it. */
function runsWords(call: ObservedCall, rule: string, given: readonly SyntaxNode[]): boolean {
  const { names, callee } = call;
  const all = [...words(names, given)];
  const isOwn = (word: SyntaxNode) =>
    call.whole(word) || rule === INJECTION.process.id && isCheckedWord(call, word);
  if (!all.some(isOwn)) return false;
  // Whoever chooses the program is given nothing to start it with.
  const choosesProgram = isOwn(all[0]!);
  if (!choosesProgram && all.length > 1 && callee !== null) {
    // `["sh", "-c", command]`, but not an option by which a program starts another.
    const texts = [...runTexts(names, callee.name, call.given)];
    if (!texts.some(({ node }) => call.whole(node))) return false;
  }
  return all.every((word) => {
    if (isOwn(word)) return true;
    const labels = call.labels(word);
    if (labels.has("network") || labels.has("encoded") || labels.has(MIXED)) return false;
    if (toolParameter(labels) !== null) return word.type !== "string" && NAMES.test(word.type);
    if (choosesProgram) return !LINES.test(word.type) && !/^(string|call)/.test(word.type);
    const stated = stringValue(names.tree.text, word) ??
      names.constants.get(textOf(names.tree, word));
    return stated === undefined ? !LINES.test(word.type) : WORD.test(stated);
  });
}

/** Whether what the call runs is the caller's text and nothing else. */
function runsWhole(
  call: ObservedCall,
  { kind, rule, severity }: { kind: Runs; rule: string; severity: string },
  tools: readonly ToolDeclaration[],
): boolean {
  const { positional, keywords } = call.given;
  // The image of a container is all that is chosen of it.
  if (kind === "commands" && CONTAINERS.test(call.callee?.name ?? "")) {
    return [...positional, ...keywords.values()]
      .every((each) => toolParameter(call.labels(each)) === null || call.whole(each));
  }
  // An argument of a fixed program.
  if (rule === INJECTION.process.id && severity !== "high") return false;
  const given = runBy(call, kind);
  if (kind === "commands" || rule === INJECTION.process.id) return runsWords(call, rule, given);
  if (given.some((each) => LISTS.test(each.type))) return runsWords(call, rule, given);
  if (given.some((each) => call.whole(each))) return true;
  return kind === "sql" && tools.some(saysSql) && given.some((each) => {
    const inner = each.type === "call" ? argumentsOf(call.names.tree, each).positional : [];
    return [each, ...inner].some((part) => {
      const texts = part.type === "string" ? [part] : valuesOf(call.names, part).values;
      return texts.length > 0 && texts.every((text) => holdsQuery(call, text) || call.whole(text));
    });
  });
}

/** A way to run what another tool runs for whoever asks gives its caller nothing more. */
function weighed(finding: RawFinding, offered: ReadonlySet<Runs>): RawFinding {
  const kind = KINDS[finding.rule];
  const given = kind !== undefined &&
    (offered.has(kind) || offered.has("commands") || offered.has("code"));
  return given && finding.severity === "high" ? { ...finding, severity: "medium" } : finding;
}

interface Place {
  kind: Runs;
  declared: boolean;
  tools: Set<string>;
}

const placeOf = ({ rule, file, line }: RawFinding) => `${rule}\0${file}\0${line}`;

/** Who may call what runs a caller's text, and whether the project changes that text before. */
export interface Callers {
  entries: readonly Entry[];
  /** Functions that others call, with the tools that their classes say they are. */
  strangers: readonly Entry[];
  rewrites: boolean;
}

/** Parts findings into capabilities and the rest. */
export function declaredRuns(
  findings: readonly RawFinding[],
  { entries, strangers, rewrites }: Callers,
  functions: ProjectFunctions,
): { runs: DeclaredRun[]; declared: RawFinding[]; faults: RawFinding[] } {
  const asked = new Set(findings.filter(({ rule }) => KINDS[rule] !== undefined).map(placeOf));
  if (asked.size === 0) return { runs: [], declared: [], faults: [...findings] };
  const places = new Map<string, Place>();
  let othersRun = false;
  const isKept = (names: PythonNames, definition: SyntaxNode) =>
    !rewrites && decoratorsKeep(names, definition, functions.find);
  const follow = (
    { names, definition, tools, given }: Entry,
    isEntry: boolean,
    isAsked: (place: string, rule: string) => boolean,
  ) => {
    // Each by itself: what one tool says is nothing to another that shares its helpers.
    const isJudged = isEntry && mayLie(names, definition, tools);
    const flow = new Flow(functions, (call) => {
      othersRun ||= isJudged && mayRunClass(call);
      const finding = judge(call);
      const kind = finding === null ? undefined : KINDS[finding.rule];
      if (finding === null || kind === undefined) return;
      const key = placeOf(finding);
      if (!asked.has(key) || !isAsked(key, finding.rule)) return;
      const place = places.get(key) ?? { kind, declared: true, tools: new Set() };
      const isContainer = kind === "commands" && CONTAINERS.test(call.callee?.name ?? "");
      const saying = tools.filter((tool) =>
        isContainer ? saysContainers(tool) : purposesOf(tool).has(kind)
      );
      const parameter = /^Parameter "([^"]+)"/.exec(finding.title)?.[1] ?? "";
      const isMeant = isContainer ||
        isForRunning(kind, parameter, parameterTexts(names, definition, parameter));
      place.declared &&= saying.length > 0 && isMeant && isKept(names, definition) &&
        runsWhole(call, { kind, rule: finding.rule, severity: finding.severity }, saying);
      for (const { name } of saying) place.tools.add(name);
      places.set(key, place);
    });
    const body = child(definition, "body");
    if (body !== null) flow.follow(names, body, new Scope(given));
  };
  for (const entry of entries) follow(entry, true, () => true);
  // What no tool is known to reach, everybody who may come there has to say.
  const reached = new Set(places.keys());
  for (const stranger of strangers) {
    follow(stranger, false, (place, rule) => rule === INJECTION.code.id && !reached.has(place));
  }
  // A tool for something else may run any of the classes.
  for (const [key, place] of places) if (othersRun && !reached.has(key)) place.declared = false;
  const isDeclared = (each: RawFinding) => places.get(placeOf(each))?.declared === true;
  const declared = findings.filter(isDeclared);
  const runs = new Map(declared.map((each) => {
    const { kind, tools } = places.get(placeOf(each))!;
    const { file, line } = each;
    return [`${kind}\0${file}\0${line}`, { kind, tools: [...tools].sort(), file, line }];
  }));
  // A class that says so may be offered nowhere.
  const offered = new Set(
    declared.map(placeOf).filter((each) => reached.has(each)).map((each) => places.get(each)!.kind),
  );
  return {
    runs: [...runs.values()],
    declared,
    faults: findings.filter((each) => !isDeclared(each)).map((each) => weighed(each, offered)),
  };
}

/** What two ways of looking find at one line is one. */
export function oncePlaced(runs: readonly DeclaredRun[]): DeclaredRun[] {
  const key = ({ kind, file, line }: DeclaredRun) =>
    `${file}\0${String(line).padStart(8)}\0${kind}`;
  return [...new Map(runs.toReversed().map((run) => [key(run), run]))]
    .sort(([a], [b]) => a < b ? -1 : 1).map(([, run]) => run);
}
