/**
 * Templates of a repository: what their engines run although it is no source of the server's language.
 *
 * @module
 */
import type { AnalyserInput } from "../analyser.ts";
import type { RawFinding } from "../finding.ts";
import type { Project } from "../project.ts";
import { calleeOf } from "../python/callee.ts";
import { hostOf } from "../python/embedded.ts";
import { stringValue } from "../python/literals.ts";
import { argumentsOf, type PythonNames, resolve } from "../python/names.ts";
import { listedTexts, textsOf } from "../python/paths.ts";
import { folderOf, foldersOver } from "../python/reach.ts";
import { inRepository } from "../python/session_paths.ts";
import { isDangerous } from "../python/sinks.ts";
import { grammarOf, roleOf } from "../sources.ts";
import { nodeTypes } from "../syntax/node_types.ts";
import { textOf } from "../syntax/source_tree.ts";
import { child, type SyntaxNode, walk } from "../syntax/tree.ts";
import { elsewhereIn } from "../templates/elsewhere.ts";
import {
  type Engine,
  ENGINE_WORDS,
  type TemplateMaker,
  templateMaker,
  usesEngine,
} from "../templates/engines.ts";
import { partFaults } from "../templates/expressions.ts";
import { type Origin, originOf } from "../templates/origin.ts";
import { jinjaParts } from "../templates/parts.ts";
import { decodeSource } from "../text.ts";
import { report, type Rule, rule } from "./rule.ts";
import { faultsOf } from "./template_text.ts";

const CODE = rule(
  "py/template-code",
  "high",
  1336,
  "Give templates the values that they show, and leave code to the modules of the server",
);
const COMPUTED = rule(
  "py/template-from-text",
  "high",
  1336,
  "Keep templates in files of the repository, or use a SandboxedEnvironment",
);
const GIVEN = rule(
  "py/template-given-module",
  "high",
  1336,
  "Give templates the one function or value that they need",
);

/** Every rule of this module. */
export const TEMPLATE_RULES: readonly Rule[] = [CODE, COMPUTED, GIVEN];

const CALLS = nodeTypes("call");
const STRINGS = nodeTypes("string", "concatenated_string");
const VALUES = nodeTypes("keyword_argument", "pair", "assignment");
const SYNTAX = /\{\{|\{%|<%|\$\{|<\?python|^[ \t]*[%#][ \t]*[a-z]/m;
const OWN_MARKS =
  /\b(variable|block|comment)_(start|end)_string\b|\bline_(statement|comment)_prefix\b/;
const GRAVE = /^(os|subprocess|builtins|importlib|pty|posix|ctypes|runpy|__builtins__)$/;
/** Where what a template may use is handed to it. */
const HANDS_OVER =
  /(^|\.)(render|render_async|generate|stream|get_template|render_template(_string)?|TemplateResponse|make_module|template)$|\b(globals|filters|tests|context)\b/;

/** Templates by engine. */
class Templates {
  readonly files = new Map<string, Set<Engine>>();
  readonly findings: RawFinding[] = [];
  readonly #bases: string[];
  readonly #said = new Set<string>();

  constructor(readonly project: Project, readonly input: AnalyserInput) {
    this.#bases = foldersOver(input.entrypoint);
  }

  say(finding: RawFinding): void {
    const key = `${finding.file}\0${finding.line}\0${finding.rule}\0${finding.title}`;
    if (this.#said.has(key)) return;
    this.#said.add(key);
    this.findings.push(finding);
  }

  #add(path: string, engine: Engine): void {
    const engines = this.files.get(path) ?? new Set();
    this.files.set(path, engines.add(engine));
  }

  /** Takes the files below a folder or at a path; `null`: every one that may be a template. */
  take(names: PythonNames, path: string | null, engine: Engine): void {
    if (path === null) {
      for (const [each, bytes] of this.input.files) {
        if (grammarOf(each) === "python" || roleOf(each) !== "source") continue;
        if (SYNTAX.test(decodeSource(bytes).text)) this.#add(each, engine);
      }
      return;
    }
    for (const place of inRepository(path, [...this.#bases, folderOf(hostOf(names.tree.path))])) {
      for (const each of this.input.files.keys()) {
        const isOwn = each === place || place === "" || each.startsWith(`${place}/`);
        // Modules are analysed as what they are.
        if (isOwn && (each === place || grammarOf(each) !== "python")) this.#add(each, engine);
      }
    }
  }
}

function titleOf(by: string, { computed, unknown, caller }: Origin): [string, boolean] | null {
  if (computed) return [`${by} makes a template of text that no scan can read`, true];
  if (caller) return [`${by} makes a template of what its caller gives`, false];
  return unknown ? [`${by} makes a template of text that cannot be followed`, false] : null;
}

/** Modules and functions that run programs, handed to templates. */
function given(names: PythonNames, node: SyntaxNode): RawFinding | null {
  const value = child(node, node.type === "assignment" ? "right" : "value");
  if (value === null || !/^(identifier|attribute)$/.test(value.type)) return null;
  const meant = resolve(names, value) ?? "";
  const isGrave = GRAVE.test(meant) && names.bindings.has(textOf(names.tree, value)) ||
    isDangerous(calleeOf(names, value)?.name ?? "");
  if (!isGrave) return null;
  const left = node.type === "assignment" ? child(node, "left") : null;
  if (left !== null && left.type !== "subscript") return null;
  let around = left === null ? "" : textOf(names.tree, left);
  for (let up = node.parent; up !== null && left === null; up = up.parent) {
    if (/statement$|^(assignment|module|block)$/.test(up.type)) break;
    if (up.type !== "call") continue;
    around = textOf(names.tree, child(up, "function")!);
    if (HANDS_OVER.test(around)) break;
  }
  return HANDS_OVER.test(around)
    ? report(GIVEN, names.tree, node, `${meant} is handed to templates`)
    : null;
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
    const maker = templateMaker(names, by, expression, argumentsOf(tree, node));
    if (maker === null) continue;
    any = true;
    await ofMaker(templates, names, node, { maker, by: by.slice(0, 100), elsewhere, whole });
  }
  if (any || usesEngine(names)) {
    for (const node of walk(tree.root, VALUES)) {
      const finding = given(names, node);
      if (finding !== null) templates.say(finding);
    }
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
  const { engine, text, files, compiled } = maker;
  if (compiled === true) {
    templates.say(report(CODE, names.tree, node, `${by} loads code that no scan reads`));
  }
  if (files !== undefined) {
    for (const each of files.nodes) {
      const paths = textsOf(names, each) ?? listedTexts(names, each);
      for (const path of paths ?? [null]) templates.take(names, path, engine);
    }
    if (files.open) templates.take(names, null, engine);
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
  const severity = grave || engine !== "jinja" && !origin.caller ? "high" : "medium";
  templates.say(report(COMPUTED, names.tree, node, title, severity));
}

/** Template texts that stand in strings of a module. */
function ofStrings(templates: Templates, names: PythonNames, whole: boolean): void {
  const { tree } = names;
  if (!whole && !/\{\{|\{%/.test(tree.text)) return;
  for (const node of walk(tree.root, STRINGS)) {
    const value = stringValue(tree.text, node);
    if (value === null || !/\{\{|\{%/.test(value)) continue;
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
  const using = running.filter(({ tree: { text } }) => ENGINE_WORDS.test(text));
  if (using.length === 0) return [];
  const templates = new Templates(project, input);
  const elsewhere = elsewhereIn(project.python);
  const whole = using.some(({ tree: { text } }) => OWN_MARKS.test(text));
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
