/**
 * What of the modules that run the restricted interpreter profile would refuse.
 *
 * @module
 */
import { stringValue } from "../python/literals.ts";
import { argumentsOf, importNode, type PythonNames, resolve } from "../python/names.ts";
import { nodeTypes } from "../syntax/node_types.ts";
import { textOf } from "../syntax/source_tree.ts";
import { child, named, type SyntaxNode, walk } from "../syntax/tree.ts";
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
} from "./compatibility_table.ts";

/** A refused construct. */
export interface Refused {
  construct: string;
  file: string;
  line: number;
  hint: string;
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

/** What a module shows of itself: its names, and which of them hold paths. */
interface Module {
  names: PythonNames;
  paths: Set<string>;
}

/** Whether an expression is a path, as far as the module itself shows. */
function isPath({ names, paths }: Module, node: SyntaxNode): boolean {
  for (let at: SyntaxNode | null = node; at !== null;) {
    if (at.type === "call") {
      const callee: SyntaxNode | null = child(at, "function");
      if (callee === null) return false;
      if (PATH_CLASSES.has(resolve(names, callee) ?? "")) return true;
      const step = callee.type === "attribute" ? child(callee, "attribute") : null;
      if (step === null || !PATH_STEPS.has(textOf(names.tree, step))) return false;
      at = child(callee, "object");
    } else if (at.type === "attribute") at = child(at, "object");
    else if (at.type === "binary_operator") at = child(at, "left");
    else if (at.type === "parenthesized_expression") at = named(at)[0] ?? null;
    else if (at.type === "identifier") {
      return paths.has(textOf(names.tree, at)) || PATH_CLASSES.has(resolve(names, at) ?? "");
    } else return false;
  }
  return false;
}

/** Databases and archives that live in memory are fine. */
function inMemory(names: PythonNames, node: SyntaxNode): boolean {
  const call = node.parent;
  if (call?.type !== "call" || child(call, "function") !== node) return false;
  const { positional: [first], keywords } = argumentsOf(names.tree, call);
  if (keywords.has("fileobj")) return true;
  if (first === undefined) return false;
  if (stringValue(names.tree.text, first) === ":memory:") return true;
  return first.type === "call" && /BytesIO|StringIO/.test(textOf(names.tree, first).slice(0, 40));
}

function classMaker(names: PythonNames, dotted: string | null): Found {
  if (dotted === null || !CLASS_MAKERS.has(dotted)) return null;
  if (dotted.startsWith("type.") && names.functions.has("type")) return null;
  return { construct: `class definition (${dotted})`, hint: HINTS.class };
}

/** `type(name, bases, members)`, or a call of another class of classes. */
function makesClass(names: PythonNames, node: SyntaxNode, name: string): boolean {
  if (!METACLASSES.has(name) || names.functions.has(name)) return false;
  const { positional } = argumentsOf(names.tree, node);
  return positional.length > 1 || positional.some(({ type }) => type === "list_splat");
}

function ofAttribute(module: Module, node: SyntaxNode): Found {
  const { names } = module;
  const meant = resolve(names, node);
  const maker = classMaker(names, meant);
  if (maker !== null) return maker;
  const found = meant === null ? null : fileFunction(meant);
  if (found !== null) return inMemory(names, node) ? null : found;
  const attribute = child(node, "attribute");
  const object = child(node, "object");
  if (attribute === null || object === null) return null;
  const name = textOf(names.tree, attribute);
  if (PATH_ALWAYS.has(name) || (PATH_METHODS.has(name) && isPath(module, object))) {
    return { construct: `file I/O (Path.${name})`, hint: HINTS.files };
  }
  return null;
}

function ofCall(names: PythonNames, node: SyntaxNode): Found {
  const callee = child(node, "function");
  const name = callee === null ? null : resolve(names, callee);
  if (name === null) return null;
  if (/^__import__$|(^|\.)import_module$/.test(name)) {
    const [first] = argumentsOf(names.tree, node).positional;
    const module = first === undefined ? null : stringValue(names.tree.text, first);
    return module === null ? null : judgeModule(module);
  }
  if (makesClass(names, node, name)) {
    return { construct: "class definition (type)", hint: HINTS.class };
  }
  if (name === "logging.basicConfig" && argumentsOf(names.tree, node).keywords.has("filename")) {
    return { construct: `file I/O (${name})`, hint: HINTS.files };
  }
  if (name === "__build_class__") return { construct: "class definition", hint: HINTS.class };
  if (callee!.type !== "identifier") return null;
  if (name === "open" && !names.functions.has("open")) {
    return { construct: "file I/O (open)", hint: HINTS.files };
  }
  return null;
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

const JUDGED = nodeTypes(
  ...Object.keys(ASYNC),
  "class_definition",
  "await",
  "call",
  "attribute",
  "assignment",
);

function ofNode(module: Module, node: SyntaxNode): Found {
  if (node.type === "class_definition") {
    return { construct: "class definition", hint: HINTS.class };
  }
  if (node.type === "await") return node.named ? { construct: "await", hint: HINTS.async } : null;
  const construct = ASYNC[node.type];
  if (construct !== undefined) return isAsync(node) ? { construct, hint: HINTS.async } : null;
  if (node.type === "call") return ofCall(module.names, node);
  return node.type === "attribute" ? ofAttribute(module, node) : null;
}

/** Refused constructs of a module. */
export function* refusedIn(names: PythonNames): Generator<Refused> {
  const at = (node: SyntaxNode, found: { construct: string; hint: string }): Refused => ({
    ...found,
    file: names.tree.path,
    line: names.tree.lineAt(node.start),
  });
  for (const each of names.imports) {
    const { module, level, name } = each;
    if (level > 0) continue;
    const found = judgeModule(module) ??
      (name === null || name === "*"
        ? null
        : fileFunction(`${module}.${name}`) ?? classMaker(names, `${module}.${name}`));
    if (found !== null) yield at(importNode(names, each), found);
  }
  const module: Module = { names, paths: new Set() };
  for (const node of walk(names.tree.root, JUDGED)) {
    if (node.type === "assignment") {
      const left = child(node, "left");
      const right = child(node, "right");
      if (left?.type === "identifier" && right !== null && isPath(module, right)) {
        module.paths.add(textOf(names.tree, left));
      }
    }
    const found = ofNode(module, node);
    if (found !== null) yield at(node, found);
  }
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
