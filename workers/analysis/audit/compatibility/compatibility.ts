/**
 * What of the modules that run the restricted interpreter profile would refuse.
 *
 * @module
 */
import { argumentsOf, importNode, type PythonNames } from "../../python/names.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { type SourceTree, textOf } from "../../syntax/source_tree.ts";
import { child, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { bare, IMPORTERS, ProfileNames } from "./names.ts";
import {
  BINARY_PACKAGES,
  CLASS_MAKERS,
  FILE_FUNCTIONS,
  FILE_MODULES,
  HINTS,
  HTTP_LIBRARIES,
  METACLASSES,
  NATIVE_LOADERS,
  PATH_ALWAYS,
  PATH_CLASSES,
  PATH_METHODS,
  PATH_STEPS,
} from "./table.ts";

/** A construct that the restricted profile rejects, with its place and what to use instead. */
export interface Refused {
  construct: string;
  file: string;
  line: number;
  hint: string;
  /** Name of the function that it is in; absent at the top of a module, and where nobody asks. */
  within?: string;
}

type Found = { construct: string; hint: string } | null;

function judgeModule(module: string): Found {
  const top = module.split(".")[0]!;
  if (HTTP_LIBRARIES.has(top)) return { construct: `import of ${top}`, hint: HINTS.http };
  if (NATIVE_LOADERS.has(top)) return { construct: `C extension (${top})`, hint: HINTS.native };
  if (BINARY_PACKAGES.has(top)) return { construct: `binary wheel (${top})`, hint: HINTS.native };
  return null;
}

function fileFunction(dotted: string): Found {
  const at = dotted.lastIndexOf(".");
  const module = dotted.slice(0, at);
  const name = dotted.slice(at + 1);
  const refused = FILE_MODULES.has(module)
    ? name !== "which"
    : (Object.hasOwn(FILE_FUNCTIONS, module) && FILE_FUNCTIONS[module]!.has(name));
  return refused ? { construct: `file I/O (${dotted})`, hint: HINTS.files } : null;
}

/** What a name stands for, where that is refused; `name` is dotted. */
function judgeName(name: string): Found {
  const found = fileFunction(name);
  if (found !== null || !CLASS_MAKERS.has(name)) return found;
  const shown = name.startsWith("builtins.type.") ? name.slice("builtins.".length) : name;
  return { construct: `class definition (${shown})`, hint: HINTS.class };
}

/** What a module shows of itself: its names, and which of them hold paths. */
interface Module {
  tree: SourceTree;
  names: ProfileNames;
  paths: Set<string>;
}

/** Whether an expression is a path, as far as the module itself shows. */
function isPath(module: Module, node: SyntaxNode | null): boolean {
  if (node === null) return false;
  const { tree, names, paths } = module;
  const at = bare(node);
  const part = (field: string) => child(at, field);
  switch (at.type) {
    case "identifier":
      return paths.has(textOf(tree, at));
    case "binary_operator":
      return part("operator")?.type === "/" &&
        (isPath(module, part("left")) || isPath(module, part("right")));
    case "subscript":
      return part("value")?.type === "attribute" && isPath(module, part("value"));
    case "attribute": {
      const name = part("attribute");
      return name !== null && /^parents?$/.test(textOf(tree, name)) &&
        isPath(module, part("object"));
    }
    case "call": {
      const callee = part("function");
      if (callee === null) return false;
      if (PATH_CLASSES.has(names.meaning(callee) ?? "")) return true;
      const step = bare(callee);
      const name = step.type === "attribute" ? child(step, "attribute") : null;
      if (name === null || !PATH_STEPS.has(textOf(tree, name))) return false;
      const object = child(step, "object");
      return isPath(module, object) || PATH_CLASSES.has(names.meaning(object) ?? "");
    }
    default:
      return false;
  }
}

const ASSIGNMENTS = nodeTypes("assignment");

/** Learns which variables hold paths. */
function learnPaths(module: Module): void {
  for (const node of walk(module.tree.root, ASSIGNMENTS)) {
    const left = child(node, "left");
    let right = child(node, "right");
    while (right?.type === "assignment") right = child(right, "right");
    if (left?.type === "identifier" && isPath(module, right)) {
      module.paths.add(textOf(module.tree, left));
    }
  }
}

const MAKERS = /^(?:BytesIO|StringIO)$/;
const ARCHIVES = /^(?:tarfile|zipfile|gzip|bz2|lzma)$/;

/** Databases and archives that live in memory are fine; `meant`: what the node stands for. */
function inMemory({ tree, names }: Module, node: SyntaxNode, meant: string): boolean {
  const module = meant.split(".")[0]!;
  if (meant !== "sqlite3.connect" && !ARCHIVES.test(module)) return false;
  let at = node;
  while (at.parent?.type === "parenthesized_expression") at = at.parent;
  const call = at.parent;
  if (call?.type !== "call" || child(call, "function") !== at) return false;
  const { positional: [given], keywords } = argumentsOf(tree, call);
  if (meant === "sqlite3.connect") return names.text(given) === ":memory:";
  if (/^(?:tarfile|gzip)$/.test(module) && keywords.has("fileobj")) return true;
  if (given === undefined || !/^(?:zipfile|gzip|bz2|lzma)$/.test(module)) return false;
  const first = bare(given);
  const maker = first.type === "call" ? bare(child(first, "function")!) : null;
  const name = maker?.type === "attribute" ? child(maker, "attribute") : maker;
  return name?.type === "identifier" && MAKERS.test(textOf(tree, name));
}

function ofAttribute(module: Module, node: SyntaxNode): Found {
  const attribute = child(node, "attribute");
  if (attribute === null) return null;
  const meant = module.names.meaning(node);
  if (meant !== null && inMemory(module, node, meant)) return null;
  const found = meant === null ? null : judgeName(meant);
  if (found !== null) return found;
  const name = textOf(module.tree, attribute);
  return PATH_ALWAYS.has(name) || (PATH_METHODS.has(name) && isPath(module, child(node, "object")))
    ? { construct: `file I/O (Path.${name})`, hint: HINTS.files }
    : null;
}

/** What a call refuses: an import by name, a member by name, a class, a log in a file. */
function* ofCall(module: Module, node: SyntaxNode): Generator<Found> {
  const { tree, names } = module;
  const callee = names.meaning(child(node, "function"));
  if (callee === null) return;
  const given = child(node, "arguments");
  const { positional, keywords } = argumentsOf(tree, node);
  const [first] = positional;
  if (IMPORTERS.has(callee)) {
    const name = names.text(first);
    if (name !== null) yield judgeModule(name);
  }
  const meant = callee === "builtins.getattr" ? names.meaning(node) : null;
  if (meant !== null) yield judgeName(meant);
  const ordered = given?.type === "argument_list"
    ? positional.filter(({ type }) => type !== "dictionary_splat")
    : [];
  const starred = ordered.some(({ type }) => type === "list_splat");
  if (METACLASSES.has(callee) && (ordered.length > 1 || starred)) {
    yield { construct: "class definition (type)", hint: HINTS.class };
  }
  if (callee === "logging.basicConfig" && keywords.has("filename")) {
    yield { construct: `file I/O (${callee})`, hint: HINTS.files };
  }
}

/** Where an identifier is no use of what it names. */
const NO_USE = new Set([
  "dotted_name",
  "aliased_import",
  "delete_statement",
  "global_statement",
  "nonlocal_statement",
  "as_pattern_target",
]);
/** Fields in which an identifier is a name of something else. */
const NAME_FIELDS = new Set(["name", "attribute", "alias"]);

/** `open`, called or passed on. */
function ofIdentifier({ tree, names }: Module, node: SyntaxNode): Found {
  const text = tree.text.slice(node.start, node.end);
  if (text !== "open" && text !== "__build_class__") return null;
  if (NAME_FIELDS.has(node.field ?? "") || NO_USE.has(node.parent?.type ?? "")) return null;
  if (names.meaning(node) !== `builtins.${text}`) return null;
  return text === "open"
    ? { construct: "file I/O (open)", hint: HINTS.files }
    : { construct: "class definition", hint: HINTS.class };
}

function isAsync(node: SyntaxNode): boolean {
  return node.children.some(({ type }) => type === "async");
}

const ASYNC: Record<string, string> = {
  function_definition: "async def",
  for_statement: "async for",
  for_in_clause: "async for",
  with_statement: "async with",
};

const USES = ["class_definition", "await", "call", "attribute", "subscript"];
const JUDGED = [...Object.keys(ASYNC), ...USES];
const ALL = nodeTypes(...JUDGED, "identifier");
const WITHOUT_NAMES = nodeTypes(...JUDGED);
/** Names that matter by themselves. */
const NAMED = /\bopen\b|\b__build_class__\b/;

function* ofNode(module: Module, node: SyntaxNode): Generator<Found> {
  switch (node.type) {
    case "class_definition":
      yield { construct: "class definition", hint: HINTS.class };
      return;
    case "await":
      if (node.named) yield { construct: "await", hint: HINTS.async };
      return;
    case "call":
      return yield* ofCall(module, node);
    case "attribute":
      yield ofAttribute(module, node);
      return;
    case "subscript": {
      const meant = module.names.meaning(node);
      yield meant === null ? null : judgeName(meant);
      return;
    }
    case "identifier":
      yield ofIdentifier(module, node);
      return;
    default:
      if (isAsync(node)) yield { construct: ASYNC[node.type]!, hint: HINTS.async };
  }
}

/** Refused constructs of a module. */
export function* refusedIn(names: PythonNames): Generator<Refused> {
  const { tree } = names;
  const at = (node: SyntaxNode, found: { construct: string; hint: string }): Refused => ({
    ...found,
    file: tree.path,
    line: tree.lineAt(node.start),
  });
  for (const each of names.imports) {
    const { module, level, name } = each;
    if (level > 0) continue;
    const node = importNode(names, each);
    const found = judgeModule(module);
    if (found !== null) yield at(node, found);
    const taken = name === null ? null : judgeName(`${module}.${name}`);
    if (taken !== null) yield at(node, taken);
  }
  const module: Module = { tree, names: new ProfileNames(tree), paths: new Set() };
  learnPaths(module);
  for (const node of walk(tree.root, NAMED.test(tree.text) ? ALL : WITHOUT_NAMES)) {
    for (const found of ofNode(module, node)) if (found !== null) yield at(node, found);
  }
}

/** A compiled module of the repository, which is no source. */
export function compiledRefused(path: string): Refused {
  const name = path.split("/").at(-1)!.split(".")[0]!;
  const [construct, hint] = path.endsWith(".pyc")
    ? ["bytecode", `${name} has no source: add ${name}.py`]
    : [
      "C extension",
      `${name} is compiled code, which does not run in the sandbox: write it in Python`,
    ];
  return { construct, file: path, line: 1, hint };
}

/** Most constructs, and most variables, that are listed. */
const MAX_LISTED = 500;

/** Places in order, the first of very many. */
export function inOrder<T extends { file: string; line: number }>(found: Iterable<T>): T[] {
  return [...found]
    .sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line))
    .slice(0, MAX_LISTED);
}

/** Constructs of several modules, each once a line, in order. */
export function onceALine(constructs: Iterable<Refused>): Refused[] {
  const found = new Map<string, Refused>();
  for (const each of constructs) found.set(`${each.file}\0${each.line}\0${each.construct}`, each);
  return inOrder(found.values());
}
