/**
 * What takes the weight off faults that were found by their form alone: the source says that a user
 * asks for them, nothing from outside gets there, nothing calls the function.
 *
 * @module
 */
import type { SourceFiles } from "../../analyser.ts";
import type { RawFinding, Severity } from "../../finding.ts";
import type { Project } from "../../project.ts";
import { argumentsOf, type PythonNames } from "../../python/names.ts";
import { stringValue } from "../../python/values/literals.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { isOption } from "./chosen_checks.ts";
import { showingTool } from "./shown_claims.ts";

const UNVERIFIED = /^(S501|py\/request-unverified)$/;
const SHELL = /^(S602|S605)$/;
/** Faults by form: who calls them matters, and flows do not tell. */
const BY_FORM =
  /^(S\d{3}|py\/(jwt-unverified|tls-unverified|request-unverified|unknown-host-keys))$/;
const CALLS = nodeTypes("call");
const DEFINITIONS = nodeTypes("function_definition");
/** Ways to get a function by a name that is made while the program runs. */
const LOOKS_UP =
  /\bgetattr\b(?!\([\w.]+, *["']\w+["'] *[,)])|\b(?:globals|locals|getmembers\w*|getattr_static|attrgetter|methodcaller|__getattribute__|__getattr__|__dict__|__builtins__|builtins|__import__)\b|\b(?:vars|dir) *\(|[=,([] *(?:vars|dir)\b(?! *=)|(?<![.\w])(?:eval|exec) *\(/;
const MAX_MENTIONS = 4;
const MAX_HOPS = 3;
const SCRIPTS = /(^|\/)(pyproject\.toml|setup\.(py|cfg))$/;

/** The innermost node of a kind around a line. */
function nodeAt(
  { tree }: PythonNames,
  types: ReturnType<typeof nodeTypes>,
  line: number,
): SyntaxNode | null {
  let found: SyntaxNode | null = null;
  for (const node of walk(tree.root, types)) {
    const isAround = tree.lineAt(node.start) <= line && tree.lineAt(node.end) >= line;
    if (isAround && (found === null || node.start >= found.start)) found = node;
  }
  return found;
}

/** `subprocess.run(["clip.exe"], shell=True)`: the whole command stands in the source. */
function isStated(names: PythonNames, call: SyntaxNode): boolean {
  const [command] = argumentsOf(names.tree, call).positional;
  const isText = (each: SyntaxNode | undefined) =>
    each !== undefined && stringValue(names.tree.text, each) !== null;
  if (command?.type === "conditional_expression") {
    const [one, , other] = named(command);
    return isText(one) && isText(other);
  }
  return command !== undefined && /^(list|tuple)$/.test(command.type) &&
    named(command).every(isText);
}

class Weighing {
  readonly #texts: string[];
  readonly #scripts: string[];
  readonly #looksUp: boolean;
  readonly #uncalled = new Map<string, boolean>();

  constructor(readonly project: Project, files: SourceFiles) {
    this.#texts = project.trees.filter((tree) => project.mayRun(tree)).map(({ text }) => text);
    this.#looksUp = this.#texts.some((text) => LOOKS_UP.test(text));
    this.#scripts = [...files].filter(([path]) => SCRIPTS.test(path))
      .map(([, bytes]) => new TextDecoder().decode(bytes));
  }

  /** Whether nothing in the project names a function, and no framework calls it by its name. */
  #isUncalled(names: PythonNames, definition: SyntaxNode, hops = 0): boolean {
    const name = textOf(names.tree, child(definition, "name")!);
    const key = `${names.tree.path}\0${definition.number}`;
    let known = this.#uncalled.get(key);
    if (known === undefined) {
      // Functions that only call each other are not called.
      this.#uncalled.set(key, true);
      this.#uncalled.set(key, known = this.#look(names, definition, name, hops));
    }
    return known;
  }

  #look(names: PythonNames, definition: SyntaxNode, name: string, hops: number): boolean {
    if (name.startsWith("__") || definition.parent?.type === "decorated_definition") return false;
    const outer = definition.parent?.parent;
    const isMethod = outer?.type === "class_definition" && child(outer, "superclasses") === null;
    if (outer !== null && outer !== undefined && !isMethod) return false;
    if (this.#looksUp || LOOKS_UP.test(names.tree.text)) return false;
    const word = new RegExp(`(?<!\\w)${name}(?!\\w)`, "g");
    if (this.#scripts.some((text) => text.search(word) >= 0)) return false;
    let mentions = 0;
    for (const text of this.#texts) {
      for (const _ of text.matchAll(word)) if (++mentions > MAX_MENTIONS) return false;
    }
    if (mentions === 1) return true;
    // Named by functions of its module that nothing calls either.
    const own = [...names.tree.text.matchAll(word)];
    return hops < MAX_HOPS && own.length === mentions && own.every(({ index }) => {
      if (index >= definition.start && index < definition.end) return true;
      const by = nodeAt(names, DEFINITIONS, names.tree.lineAt(index));
      return by !== null && this.#isUncalled(names, by, hops + 1);
    });
  }

  /** Whether a tool, which nothing else calls, decodes a token on that line to show what it says. */
  #isShown(names: PythonNames, line: number): boolean {
    const call = nodeAt(names, CALLS, line);
    const tool = call === null ? null : showingTool(names, call);
    if (tool === null) return false;
    const word = new RegExp(`(?<!\\w)${textOf(names.tree, child(tool, "name")!)}(?!\\w)`, "g");
    const mentions = this.#texts.flatMap((text) => [...text.matchAll(word)]);
    return mentions.length === 1 && !this.#looksUp;
  }

  severityOf(finding: RawFinding): Severity {
    const { rule, severity, file, line } = finding;
    const names = this.project.python.get(file);
    if (severity !== "high" || names === undefined || !BY_FORM.test(rule)) return severity;
    const call = UNVERIFIED.test(rule) || SHELL.test(rule) ? nodeAt(names, CALLS, line) : null;
    if (call !== null && SHELL.test(rule) && isStated(names, call)) return "low";
    if (call !== null && UNVERIFIED.test(rule) && isOption(names, call)) return "medium";
    if (rule === "py/jwt-unverified" && this.#isShown(names, line)) return "medium";
    const around = nodeAt(names, DEFINITIONS, line);
    return around !== null && this.#isUncalled(names, around) ? "medium" : severity;
  }
}

/** The findings with the weight that the source gives them. */
export function weighedFaults(
  findings: readonly RawFinding[],
  project: Project,
  files: SourceFiles,
): RawFinding[] {
  if (!findings.some(({ rule, severity }) => severity === "high" && BY_FORM.test(rule))) {
    return [...findings];
  }
  const weighing = new Weighing(project, files);
  return findings.map((each) => {
    const severity = weighing.severityOf(each);
    return severity === each.severity ? each : { ...each, severity };
  });
}
