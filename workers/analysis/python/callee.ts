/**
 * What a call calls, through the detours that hide it: aliases, `getattr`, `__import__`,
 * `globals()["eval"]`, `functools.partial`, star imports.
 *
 * @module
 */
import { child, named, type SyntaxNode } from "../syntax/tree.ts";
import { textOf } from "../syntax/source_tree.ts";
import { stringValue } from "./literals.ts";
import { argumentsOf, type PythonNames, resolve } from "./names.ts";

/** A called function. */
export interface Callee {
  /** Dotted name, built-ins bare: `os.system`, `eval`, or a name of the module itself. */
  name: string;
  /** How it was hidden; null for an ordinary call. */
  detour: "alias" | "getattr" | "import" | "namespace" | "partial" | "star" | null;
}

const MAX_HOPS = 20;
/** Modules whose star import brings functions that matter. */
const STARRED = ["os", "subprocess", "pickle", "shutil", "builtins"];
const NAMESPACES = /^(globals|locals|vars)$/;

function withoutBuiltins(name: string): string {
  return name.replace(/^(builtins|__builtins__)\./, "");
}

function firstString(names: PythonNames, call: SyntaxNode, at: number): string | null {
  const argument = argumentsOf(names.tree, call).positional[at];
  if (argument === undefined) return null;
  return stringValue(names.tree.text, argument) ??
    (argument.type === "identifier"
      ? names.constants.get(textOf(names.tree, argument)) ?? null
      : null);
}

function ofCall(names: PythonNames, node: SyntaxNode, hops: number): Callee | null {
  const inner = child(node, "function");
  const called = inner === null ? null : calleeOf(names, inner, hops + 1);
  if (called === null) return null;
  if (called.name === "__import__" || called.name === "importlib.import_module") {
    const module = firstString(names, node, 0);
    return module === null ? null : { name: module, detour: "import" };
  }
  const [first] = argumentsOf(names.tree, node).positional;
  if (first === undefined) return null;
  if (called.name === "getattr") {
    const object = calleeOf(names, first, hops + 1);
    const attribute = firstString(names, node, 1);
    if (object === null || attribute === null) return null;
    return { name: withoutBuiltins(`${object.name}.${attribute}`), detour: "getattr" };
  }
  if (called.name === "functools.partial") {
    const target = calleeOf(names, first, hops + 1);
    return target === null ? null : { ...target, detour: target.detour ?? "partial" };
  }
  return null;
}

function ofSubscript(names: PythonNames, node: SyntaxNode): Callee | null {
  const value = child(node, "value");
  const key = child(node, "subscript");
  const text = key === null ? null : stringValue(names.tree.text, key);
  if (value === null || text === null) return null;
  const callee = value.type === "call" ? child(value, "function") : null;
  const holder = callee === null
    ? textOf(names.tree, value)
    : NAMESPACES.test(textOf(names.tree, callee))
    ? "globals"
    : "";
  if (holder === "globals" || /^__builtins__(\.__dict__)?$|^builtins\.__dict__$/.test(holder)) {
    return { name: withoutBuiltins(text), detour: "namespace" };
  }
  return null;
}

/** The function behind an expression that is called, or null when it cannot be told. */
export function calleeOf(names: PythonNames, node: SyntaxNode, hops = 0): Callee | null {
  if (hops > MAX_HOPS) return null;
  if (node.type === "call") return ofCall(names, node, hops);
  if (node.type === "subscript") return ofSubscript(names, node);
  if (node.type === "parenthesized_expression") {
    const [inner] = named(node);
    return inner === undefined ? null : calleeOf(names, inner, hops + 1);
  }
  const meant = resolve(names, node);
  if (meant === null) {
    const object = node.type === "attribute" ? child(node, "object") : null;
    const attribute = node.type === "attribute" ? child(node, "attribute") : null;
    if (object === null || attribute === null) return null;
    const method = textOf(names.tree, attribute);
    const holder = calleeOf(names, object, hops + 1);
    if (holder !== null) return { name: `${holder.name}.${method}`, detour: holder.detour };
    // `Client().get`, `connect().execute`: a method of what a call gives.
    const maker = object.type === "call" ? child(object, "function") : null;
    const made = maker === null ? null : calleeOf(names, maker, hops + 1);
    return made === null ? null : { name: `${made.name}().${method}`, detour: null };
  }
  if (node.type === "identifier") {
    const written = textOf(names.tree, node);
    const made = names.calls.get(written);
    if (made !== undefined) return calleeOf(names, made, hops + 1);
    if (meant === written && !names.functions.has(written)) {
      const star = names.imports.find(({ name, module }) =>
        name === "*" && STARRED.includes(module)
      );
      if (star !== undefined && !BUILTINS.has(written)) {
        return { name: withoutBuiltins(`${star.module}.${written}`), detour: "star" };
      }
    }
    const imported = names.imports.some((each) => each.name !== null && meant.endsWith(each.name));
    const detour = meant !== written && !imported && names.bindings.has(written) ? "alias" : null;
    return { name: withoutBuiltins(meant), detour };
  }
  return { name: withoutBuiltins(meant), detour: null };
}

const BUILTINS = new Set([
  "eval",
  "exec",
  "compile",
  "open",
  "getattr",
  "print",
  "len",
  "str",
  "int",
]);
