/**
 * What a `setup.py` passes to `setup()` as dependencies, as far as the source states it: literal
 * lists, names of them, sums, `append`, `extend`, `+=`, dictionaries of extras, conditional parts.
 *
 * @module
 */
import { stringValue } from "../python/values/literals.ts";
import { argumentsOf, dottedText, type PythonNames, resolve } from "../python/names.ts";
import { nodeTypes } from "../syntax/node_types.ts";
import { textOf } from "../syntax/source_tree.ts";
import { child, named, type SyntaxNode, walk } from "../syntax/tree.ts";

const CALLS = nodeTypes("call");

/** A dependency as written. */
export interface DeclaredRequirement {
  text: string;
  line: number;
}

/** Arguments of `setup()` that name what is installed with a project. */
export const INSTALLED: readonly string[] = ["install_requires", "requires"];
/** The same and what its build, its tests and its extras take. */
export const ALL: readonly string[] = [
  ...INSTALLED,
  "setup_requires",
  "tests_require",
  "extras_require",
];
const MAX_DEPTH = 20;
/** Expressions that are looked at: names may stand for each other again and again. */
const MAX_READS = 20_000;
const WRAPPERS = /^(list|tuple|set|sorted|dict)$/;

/** Collects what expressions hold; remembers the first that is computed. */
class Reader {
  readonly found: DeclaredRequirement[] = [];
  computed: number | null = null;
  #reads = 0;
  readonly #names: PythonNames;
  /** What each name is given, in order: assignments and what is added to it. */
  readonly #parts = new Map<string, SyntaxNode[]>();

  constructor(names: PythonNames) {
    this.#names = names;
    for (const node of walk(names.tree.root)) this.#note(node);
  }

  #note(node: SyntaxNode): void {
    const { tree } = this.#names;
    const add = (name: string, value: SyntaxNode | null | undefined) => {
      if (value) this.#parts.set(name, [...this.#parts.get(name) ?? [], value]);
    };
    if (node.type === "assignment" || node.type === "augmented_assignment") {
      const left = child(node, "left");
      if (left?.type === "identifier") add(textOf(tree, left), child(node, "right"));
      // `extras["test"] = […]`
      const holder = left?.type === "subscript" ? child(left, "value") : null;
      if (holder?.type === "identifier") add(textOf(tree, holder), child(node, "right"));
    }
    if (node.type !== "call") return;
    const callee = child(node, "function");
    const match = callee === null
      ? null
      : /^(\w+)\.(append|extend|add|update|insert)$/.exec(dottedText(tree, callee) ?? "");
    if (match) add(match[1]!, argumentsOf(tree, node).positional.at(-1));
  }

  #unknown(node: SyntaxNode): void {
    this.computed ??= this.#names.tree.lineAt(node.start);
  }

  read(node: SyntaxNode, depth = 0): void {
    const { tree } = this.#names;
    if (depth > MAX_DEPTH || ++this.#reads > MAX_READS) return this.#unknown(node);
    const inner = (nodes: (SyntaxNode | null)[]) => {
      for (const each of nodes) if (each !== null) this.read(each, depth + 1);
    };
    const text = stringValue(tree.text, node);
    if (text !== null) {
      const line = tree.lineAt(node.start);
      // A text of several lines holds a dependency on each.
      text.split("\n").forEach((part, index) => {
        const plain = part.trim();
        if (plain === "" || plain.startsWith("#")) return;
        this.found.push({ text: plain.slice(0, 500), line: line + (index > 0 ? index : 0) });
      });
      return;
    }
    switch (node.type) {
      case "list":
      case "tuple":
      case "set":
      case "parenthesized_expression":
      case "list_splat":
        return inner(named(node));
      case "dictionary":
        return inner(named(node).map((pair) => pair.type === "pair" ? child(pair, "value") : pair));
      case "dictionary_splat":
        return inner(named(node));
      case "binary_operator":
        if (child(node, "operator")?.type !== "+") return this.#unknown(node);
        return inner([child(node, "left"), child(node, "right")]);
      case "conditional_expression": {
        const [then, , otherwise] = named(node);
        return inner([then ?? null, otherwise ?? null]);
      }
      case "boolean_operator":
        return inner([child(node, "left"), child(node, "right")]);
      case "none":
        return;
      case "identifier":
      case "subscript": {
        const name = textOf(tree, node.type === "identifier" ? node : child(node, "value")!);
        const parts = this.#parts.get(name);
        return parts === undefined ? this.#unknown(node) : inner(parts);
      }
      case "call": {
        const callee = child(node, "function");
        const name = callee === null ? null : resolve(this.#names, callee);
        const { positional, keywords } = argumentsOf(tree, node);
        if (name === null || !WRAPPERS.test(name)) return this.#unknown(node);
        return inner([...positional, ...(name === "dict" ? keywords.values() : [])]);
      }
      default:
        this.#unknown(node);
    }
  }
}

function isSetup(names: PythonNames, call: SyntaxNode): boolean {
  const callee = child(call, "function");
  const meant = callee === null ? null : resolve(names, callee);
  return meant !== null && /(^|\.)setup$/.test(meant);
}

/** The dependencies that a `setup.py` states in the `wanted` arguments, and the line of the first part that is computed. */
export function setupRequirements(
  names: PythonNames,
  wanted: readonly string[],
): { found: DeclaredRequirement[]; computed: number | null } {
  const reader = new Reader(names);
  for (const node of walk(names.tree.root, CALLS)) {
    if (!isSetup(names, node)) continue;
    const { keywords } = argumentsOf(names.tree, node);
    for (const key of wanted) {
      const value = keywords.get(key);
      if (value !== undefined) reader.read(value);
    }
    for (const each of node.children.flatMap((list) => named(list))) {
      // `setup(**arguments)` with a dictionary of the module.
      if (each.type !== "dictionary_splat") continue;
      const [value] = named(each);
      for (const given of value === undefined ? [] : dictionariesOf(names, value)) {
        readArguments(names, reader, given, wanted);
      }
    }
  }
  const seen = new Set<string>();
  const found = reader.found.filter(({ text, line }) => {
    const key = `${line} ${text}`;
    return !seen.has(key) && seen.add(key);
  });
  return { found, computed: reader.computed };
}

/** The dictionary that an expression is, or that its name is assigned. */
function dictionariesOf(names: PythonNames, value: SyntaxNode): SyntaxNode[] {
  if (value.type !== "identifier") return [value];
  const name = textOf(names.tree, value);
  const given = names.values.get(name) ?? names.calls.get(name);
  return given === undefined ? [] : [given];
}

function readArguments(
  names: PythonNames,
  reader: Reader,
  given: SyntaxNode,
  wanted: readonly string[],
): void {
  const { text } = names.tree;
  if (given.type === "call") {
    for (const [key, value] of argumentsOf(names.tree, given).keywords) {
      if (wanted.includes(key)) reader.read(value);
    }
  }
  for (const pair of named(given)) {
    const key = pair.type === "pair" ? child(pair, "key") : null;
    const value = pair.type === "pair" ? child(pair, "value") : null;
    if (key === null || value === null) continue;
    if (wanted.includes(stringValue(text, key) ?? "")) reader.read(value);
  }
}
