/**
 * What names mean in a Python module: imports, simple aliases and constants.
 *
 * @module
 */
import { flatReader, WORDS } from "../syntax/flat_tree.ts";
import { nodeTypes } from "../syntax/node_types.ts";
import { rootOf } from "../syntax/nodes.ts";
import type { SourceTree } from "../syntax/source_tree.ts";
import { textOf } from "../syntax/source_tree.ts";
import { child, named, type SyntaxNode, walk } from "../syntax/tree.ts";
import { holdersOf, type Import, importsOf } from "./reach/imports.ts";
import { stringValue } from "./values/literals.ts";

/** What was read in one module, as threads pass it on: nodes are numbers. */
export interface ModuleNames {
  imports: Import[];
  bindings: Map<string, string>;
  /** What bodies of classes import: `Class.os` to `os`. */
  attributes: Map<string, string>;
  constants: Map<string, string>;
  values: Map<string, number>;
  calls: Map<string, number>;
  functions: Map<string, number>;
  methods: Map<string, number>;
}

/** Nodes by name. They are kept as numbers, which do not keep their tree in memory. */
export interface NodesByName {
  has(name: string): boolean;
  get(name: string): SyntaxNode | undefined;
  keys(): Iterable<string>;
}

export interface PythonNames {
  tree: SourceTree;
  /** What all of it was made of. */
  read: ModuleNames;
  imports: Import[];
  /** Local name to what it stands for, dotted: `np` to `numpy`, `run` to `subprocess.run`. */
  bindings: Map<string, string>;
  /** What attributes of classes and of the project's modules mean that are imported there. */
  exported: Map<string, string>;
  /** Names of the module to which other modules give values. */
  changed: Set<string>;
  /** Strings bound to names, and to names in classes (`Class.NAME`). */
  constants: Map<string, string>;
  /** What module-level names are assigned. */
  values: NodesByName;
  /** Calls that names are assigned anywhere. */
  calls: NodesByName;
  /** Functions by name; one of the module goes before a method of that name. */
  functions: NodesByName;
  /** Methods by `Class.name` and, the first of its name, by `name`. */
  methods: NodesByName;
}

function nodesByName(tree: SourceTree, numbers: ReadonlyMap<string, number>): NodesByName {
  return {
    has: (name) => numbers.has(name),
    get(name) {
      const number = numbers.get(name);
      return number === undefined ? undefined : tree.root.numbered(number);
    },
    keys: () => numbers.keys(),
  };
}

export function importNode({ tree }: PythonNames, { node }: Import): SyntaxNode {
  return tree.root.numbered(node);
}

/** A chain that needs no look at its nodes; other literals than these three are no words. */
const PLAIN_CHAIN = /^(?!(?:None|True|False)\b)[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/;
const MAX_PLAIN = 200;

/** The dotted text of a name or attribute chain, or null for any other expression. */
export function dottedText(tree: SourceTree, node: SyntaxNode): string | null {
  if (node.type === "identifier") return textOf(tree, node);
  if (node.type !== "attribute") return null;
  if (node.end - node.start <= MAX_PLAIN) {
    const written = textOf(tree, node);
    if (PLAIN_CHAIN.test(written)) return written;
  }
  const parts: string[] = [];
  let at: SyntaxNode | null = node;
  while (at?.type === "attribute") {
    const name = child(at, "attribute");
    if (name === null) return null;
    parts.push(textOf(tree, name));
    at = child(at, "object");
  }
  if (at?.type !== "identifier") return null;
  parts.push(textOf(tree, at));
  return parts.reverse().join(".");
}

function assignments(tree: SourceTree, names: ModuleNames, node: SyntaxNode): void {
  const left = child(node, "left");
  const right = child(node, "right");
  if (left?.type !== "identifier" || right === null) return;
  const name = textOf(tree, left);
  const holder = node.parent?.parent;
  const cls = holder?.parent?.type === "class_definition" ? child(holder.parent, "name") : null;
  const value = stringValue(tree.text, right);
  if (value !== null) names.constants.set(cls ? `${textOf(tree, cls)}.${name}` : name, value);
  else if (holder?.type === "module") {
    names.values.set(name, right.number);
  }
  if (right.type === "call") names.calls.set(name, right.number);
  if (cls === null && (right.type === "attribute" || right.type === "identifier")) {
    const meant = dottedText(tree, right);
    // `eval = eval` must not lead round in circles.
    if (meant !== null && firstPart(meant) !== name) names.bindings.set(name, meant);
  }
}

function noNames(): ModuleNames {
  return {
    imports: [],
    bindings: new Map(),
    attributes: new Map(),
    constants: new Map(),
    values: new Map(),
    calls: new Map(),
    functions: new Map(),
    methods: new Map(),
  };
}

/** The names of a module that could not be parsed: none. */
export function emptyNames(path: string): PythonNames {
  const file = {
    path,
    grammar: "python",
    role: "source",
    text: "",
    odd: false,
    broken: false,
  } as const;
  const flat = { nodes: new Uint32Array(WORDS), depths: new Uint16Array(1) };
  const kinds = () => ({ type: "module", field: null, named: true });
  const tree = {
    ...file,
    root: rootOf(flat, kinds),
    parsed: { ...file, flat },
    flat: flatReader(flat, kinds),
    lineAt: () => 1,
  };
  return namesIn(tree, noNames());
}

function addFunction(tree: SourceTree, names: ModuleNames, node: SyntaxNode): void {
  const named = child(node, "name");
  if (named === null) return;
  const name = textOf(tree, named);
  const holder = node.parent?.type === "decorated_definition" ? node.parent.parent : node.parent;
  const cls = holder?.parent?.type === "class_definition" ? child(holder.parent, "name") : null;
  if (cls === null) {
    names.functions.set(name, node.number);
    return;
  }
  names.methods.set(`${textOf(tree, cls)}.${name}`, node.number);
  if (!names.methods.has(name)) names.methods.set(name, node.number);
  if (!names.functions.has(name)) names.functions.set(name, node.number);
}

const NAMING = nodeTypes(
  "import_statement",
  "import_from_statement",
  "assignment",
  "function_definition",
);

export function moduleNames(tree: SourceTree): ModuleNames {
  const names = noNames();
  for (const node of walk(tree.root, NAMING)) {
    if (node.type === "import_statement" || node.type === "import_from_statement") {
      const { found, bind } = importsOf(tree, node);
      names.imports.push(...found);
      const holders = holdersOf(tree, node);
      for (const [name, meaning] of bind) {
        names.bindings.set(name, meaning);
        for (const each of holders) names.attributes.set(`${each}.${name}`, meaning);
      }
    } else if (node.type === "assignment") assignments(tree, names, node);
    else addFunction(tree, names, node);
  }
  return names;
}

/** What was read in a module, with its nodes. */
export function namesIn(tree: SourceTree, read: ModuleNames): PythonNames {
  return {
    tree,
    read,
    imports: read.imports,
    bindings: read.bindings,
    exported: new Map(read.attributes),
    changed: new Set(),
    constants: read.constants,
    values: nodesByName(tree, read.values),
    calls: nodesByName(tree, read.calls),
    functions: nodesByName(tree, read.functions),
    methods: nodesByName(tree, read.methods),
  };
}

/** Reads the names of a module, with its nodes. */
export function readNames(tree: SourceTree): PythonNames {
  return namesIn(tree, moduleNames(tree));
}

/** The first part of a dotted name. */
export function firstPart(dotted: string): string {
  const dot = dotted.indexOf(".");
  return dot < 0 ? dotted : dotted.slice(0, dot);
}

/** The dotted meaning of an expression after imports and aliases, or null. */
export function resolve(names: PythonNames, node: SyntaxNode): string | null {
  const dotted = dottedText(names.tree, node);
  return dotted === null ? null : meaningOf(names, dotted);
}

/** What a dotted name means after imports and aliases. */
export function meaningOf(names: PythonNames, written: string): string {
  let dotted = written;
  for (let hops = 0; hops < 5; hops++) {
    const head = firstPart(dotted);
    const meant: string | undefined = names.bindings.get(head);
    if (meant === undefined) break;
    dotted = meant + dotted.slice(head.length);
    if (firstPart(meant) === head) break;
  }
  return names.exported.size === 0 ? dotted : ofModule(names, dotted);
}

/** `helper.go`, `helper.o.system`: what the module has under the name. */
function ofModule({ exported }: PythonNames, dotted: string): string {
  const whole = exported.get(dotted);
  if (whole !== undefined) return whole;
  const dot = dotted.lastIndexOf(".");
  const holder = dot < 0 ? undefined : exported.get(dotted.slice(0, dot));
  return holder === undefined ? dotted : holder + dotted.slice(dot);
}

/** Arguments of a call by position and by keyword. */
export interface CallArguments {
  positional: readonly SyntaxNode[];
  keywords: ReadonlyMap<string, SyntaxNode>;
}

/** Shared by the calls without any: most. */
const NO_KEYWORDS: ReadonlyMap<string, SyntaxNode> = new Map();

/** The arguments of a `call` node. */
export function argumentsOf(tree: SourceTree, call: SyntaxNode): CallArguments {
  const list = child(call, "arguments");
  const positional: SyntaxNode[] = [];
  let keywords: Map<string, SyntaxNode> | undefined;
  for (const each of list === null ? [] : named(list)) {
    if (each.type === "keyword_argument") {
      const name = child(each, "name");
      const value = child(each, "value");
      if (name !== null && value !== null) (keywords ??= new Map()).set(textOf(tree, name), value);
    } else positional.push(each);
  }
  return { positional, keywords: keywords ?? NO_KEYWORDS };
}
