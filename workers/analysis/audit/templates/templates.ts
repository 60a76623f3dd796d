/**
 * Templates of a repository: what their engines run although it is no source of the server's language.
 *
 * @module
 */
import type { AnalyserInput } from "../../analyser.ts";
import type { RawFinding } from "../../finding.ts";
import { isDocstring } from "../../python/values/docstrings.ts";
import type { Project } from "../../project.ts";
import { calleeOf } from "../../python/calls/callee.ts";
import { stringValue } from "../../python/values/literals.ts";
import { mentions } from "../../python/reach/mentions.ts";
import { argumentsOf, type PythonNames } from "../../python/names.ts";
import { listedTexts, textsOf } from "../../python/reach/paths.ts";
import { returnsOf } from "../../python/values/returns.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { elsewhereIn } from "../../templates/elsewhere.ts";
import {
  type Engine,
  ENGINE_WORDS,
  isSandboxed,
  isTemplateText,
  type TemplateMaker,
  templateMaker,
  usesEngine,
} from "../../templates/engines.ts";
import { partFaults } from "../../templates/expressions.ts";
import { type Origin, originOf } from "../../templates/origin.ts";
import { jinjaParts } from "../../templates/parts.ts";
import { decodeSource } from "../../text.ts";
import { report, type Rule, rule } from "../rule.ts";
import { Templates } from "./found.ts";
import { GIVEN, givenToTemplates } from "./given.ts";
import { faultsOf } from "./text.ts";

const CODE = rule(
  "py/template-code",
  "high",
  1336,
  "Pass templates the values to show, and keep code in the server's modules",
);
const COMPUTED = rule(
  "py/template-from-text",
  "high",
  1336,
  "Keep templates in files of the repository, or use a SandboxedEnvironment",
);
/** Every rule of this module. */
export const TEMPLATE_RULES: readonly Rule[] = [CODE, COMPUTED, GIVEN];

const CALLS = nodeTypes("call");
const FUNCTIONS = nodeTypes("function_definition");
const UTF8 = /^["']utf-?8(-sig)?["']$/i;
/** Folders in which a program puts files of its own making. */
const TEMPORARY = /^\/(tmp|var\/tmp|dev\/shm)(\/|$)/;
const GRAVE_WORDS = /\b(os|sys|subprocess|builtins|importlib|pty|ctypes|runpy|eval|exec|__\w+__)\b/;
const STRINGS = nodeTypes("string", "concatenated_string");
const OWN_MARKS = /(start|end)_string\b|\bline_(statement|comment)|["']_string\b/;

function titleOf(by: string, { computed, unknown, caller }: Origin): [string, boolean] | null {
  if (computed) return [`${by} creates a template from unscannable text`, true];
  if (caller) return [`${by} creates a template from its caller's text`, false];
  return unknown ? [`${by} creates a template from unknown text`, false] : null;
}

/** Whether expressions of templates may have other marks than the usual ones. */
function hasOwnMarks(names: PythonNames): boolean {
  if (mentions(names, OWN_MARKS)) return true;
  for (const node of walk(names.tree.root, CALLS)) {
    const callee = child(node, "function");
    if (callee === null || !/(Environment|\.overlay)$/.test(textOf(names.tree, callee))) continue;
    if (argumentsOf(names.tree, node).positional.length > 0) return true;
  }
  return false;
}

/** `env.from_string(text)` where `env` is another module's. */
function ofEnvironmentElsewhere(
  names: PythonNames,
  node: SyntaxNode,
  by: string,
  elsewhere: ReturnType<typeof elsewhereIn>,
): TemplateMaker | null {
  if (!isTemplateText(by)) return null;
  const { positional, keywords } = argumentsOf(names.tree, node);
  const text = positional[0] ?? keywords.get("source");
  const holders = elsewhere(names, by.slice(0, by.lastIndexOf(".")));
  const isOpen = holders?.some(({ names: other, node: value }) =>
    usesEngine(other) && !isSandboxed(other, value)
  );
  return isOpen === true && text !== undefined ? { engine: "jinja", text, loads: true } : null;
}

async function ofModule(
  templates: Templates,
  names: PythonNames,
  elsewhere: ReturnType<typeof elsewhereIn>,
  whole: boolean,
): Promise<boolean> {
  const { tree } = names;
  let any = false;
  for (const node of walk(tree.root, CALLS)) {
    const expression = child(node, "function");
    if (expression === null) continue;
    const by = calleeOf(names, expression)?.name ?? textOf(tree, expression);
    const maker = templateMaker(names, by, expression, argumentsOf(tree, node)) ??
      ofEnvironmentElsewhere(names, node, by, elsewhere);
    if (maker === null) continue;
    any = true;
    await ofMaker(templates, names, node, { maker, by: by.slice(0, 100), elsewhere, whole });
  }
  if (any || usesEngine(names)) {
    for (const finding of givenToTemplates(names)) templates.say(finding);
    await ofLoaders(templates, names, elsewhere, whole);
  }
  return any;
}

interface Making {
  maker: TemplateMaker;
  by: string;
  elsewhere: ReturnType<typeof elsewhereIn>;
  whole: boolean;
}

async function ofMaker(
  templates: Templates,
  names: PythonNames,
  node: SyntaxNode,
  { maker, by, elsewhere, whole }: Making,
): Promise<void> {
  const { engine, text, files, compiled, loads } = maker;
  if (compiled === true) {
    templates.say(report(CODE, names.tree, node, `${by} loads unscanned code`));
  }
  if (files !== undefined) {
    const { keywords } = argumentsOf(names.tree, node);
    const encoding = keywords.get("encoding") ?? keywords.get("input_encoding");
    if (encoding !== undefined && !UTF8.test(textOf(names.tree, encoding))) {
      const title = `${by} reads templates in a different encoding than the scan`;
      templates.say(report(COMPUTED, names.tree, node, title));
    }
    for (const each of files.nodes) {
      const paths = textsOf(names, each) ?? listedTexts(names, each);
      const outside = paths?.find((path) => TEMPORARY.test(path));
      if (outside !== undefined) {
        const title = `${by} creates templates from files in ${outside}, which were not scanned`;
        templates.say(report(COMPUTED, names.tree, node, title));
      }
      for (const path of paths ?? [null]) templates.take(names, path, engine);
    }
    if (files.open) templates.take(names, null, engine);
  }
  for (const title of setUp(names, node, engine)) {
    templates.say(report(CODE, names.tree, node, title));
  }
  if (text === undefined) return;
  const origin = originOf(names, text, elsewhere);
  for (const path of origin.files) templates.take(names, path, engine);
  // A name of a template where the text may stand.
  if (engine === "simple") templates.take(names, null, engine);
  for (const each of new Set(origin.texts)) {
    for (const { title } of await faultsOf(each, engine, whole)) {
      templates.say(report(CODE, names.tree, node, title));
    }
  }
  const said = titleOf(by, origin);
  if (said === null) return;
  const [title, grave] = said;
  const unread = grave || engine !== "jinja" && !origin.caller || loads === true && origin.caller;
  const severity = unread ? "high" : "medium";
  templates.say(report(COMPUTED, names.tree, node, title, severity));
}

/** Python that stands in the arguments of an engine: Mako's `imports` and `default_filters`. */
function setUp(names: PythonNames, node: SyntaxNode, engine: Engine): string[] {
  const { keywords } = argumentsOf(names.tree, node);
  const found: string[] = [];
  for (const key of engine === "mako" ? ["imports", "default_filters", "future_imports"] : []) {
    const value = keywords.get(key);
    if (value === undefined) continue;
    const lines = listedTexts(names, value);
    if (lines === null) found.push(`Mako gets unknown ${key}`);
    else if (lines.some((line) => GRAVE_WORDS.test(line))) {
      found.push(`Mako gets ${key} that run programs or code`);
    }
  }
  return found;
}

/** What loaders of the server's own give for the name of a template. */
async function ofLoaders(
  templates: Templates,
  names: PythonNames,
  elsewhere: ReturnType<typeof elsewhereIn>,
  whole: boolean,
): Promise<void> {
  for (const node of walk(names.tree.root, FUNCTIONS)) {
    if (textOf(names.tree, child(node, "name")!) !== "get_source") continue;
    for (const result of returnsOf(node)) {
      const text = /^(tuple|expression_list)$/.test(result.type) ? named(result)[0]! : result;
      const maker = { engine: "jinja", text, loads: true } as const;
      await ofMaker(templates, names, result, { maker, by: "get_source", elsewhere, whole });
    }
  }
}

/** Template texts that stand in strings of a module. */
function ofStrings(templates: Templates, names: PythonNames, whole: boolean): void {
  const { tree } = names;
  if (!whole && !/\{\{|\{%/.test(tree.text)) return;
  for (const node of walk(tree.root, STRINGS)) {
    const value = stringValue(tree.text, node);
    if (value === null || !/\{\{|\{%/.test(value)) continue;
    if (node.parent !== null && isDocstring(node.parent)) continue;
    for (const { title } of partFaults(jinjaParts(value))) {
      templates.say(report(CODE, tree, node, title));
    }
  }
}

/** Findings about what templates of a Python project run. */
export async function templateFindings(
  project: Project,
  input: AnalyserInput,
): Promise<RawFinding[]> {
  if (input.lang !== "python") return [];
  const running = project.trees.filter((tree) => project.mayRun(tree))
    .flatMap((tree) => project.python.get(tree.path) ?? []);
  const using = running.filter((names) => mentions(names, ENGINE_WORDS));
  if (using.length === 0) return [];
  const templates = new Templates(project, input);
  const elsewhere = elsewhereIn(project.python);
  const whole = using.some(hasOwnMarks);
  let any = false;
  for (const names of using) any = await ofModule(templates, names, elsewhere, whole) || any;
  if (any || using.some(usesEngine)) {
    for (const names of running) ofStrings(templates, names, whole);
  }
  for (const [path, engines] of templates.files) {
    input.begin(path);
    const { text } = decodeSource(input.files.get(path)!);
    for (const engine of engines) {
      for (const { title, line } of await faultsOf(text, engine, whole)) {
        templates.say({
          rule: CODE.id,
          severity: CODE.severity,
          cwe: `CWE-${CODE.cwe}`,
          title: title.slice(0, 300),
          detail: CODE.advice,
          file: path,
          line,
          end_line: line,
        });
      }
    }
  }
  input.begin(null);
  return templates.findings;
}
