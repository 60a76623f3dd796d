/**
 * Strings and functions that a Python expression may stand for, over literals, constants and loops
 * over literal lists. What cannot be told is null: then tools are registered dynamically.
 *
 * @module
 */
import { stringValue } from "../python/literals.ts";
import { argumentsOf, dottedText, type PythonNames, resolve } from "../python/names.ts";
import { textOf } from "../syntax/source_tree.ts";
import { child, named, type SyntaxNode } from "../syntax/tree.ts";

/** Constants of all modules by their last names, for those that are imported. */
export type Constants = ReadonlyMap<string, string>;

const MAX_ELEMENTS = 1000;

/** A variable of an enclosing loop: the elements that it takes, one expression each. */
function loopValues(names: PythonNames, node: SyntaxNode): SyntaxNode[] | null {
  const wanted = textOf(names.tree, node);
  for (let up = node.parent; up !== null; up = up.parent) {
    if (up.type !== "for_statement" && up.type !== "for_in_clause") continue;
    const left = child(up, "left");
    if (left === null) continue;
    const targets = left.type === "identifier" ? [left] : named(left);
    const index = targets.findIndex((each) => textOf(names.tree, each) === wanted);
    if (index < 0) continue;
    const over = child(up, "right");
    return over === null ? null : elements(names, over, left.type === "identifier" ? null : index);
  }
  return null;
}

/** The expression behind a module-level name that is assigned once. */
function behind(names: PythonNames, node: SyntaxNode): SyntaxNode {
  return node.type === "identifier" ? names.values.get(textOf(names.tree, node)) ?? node : node;
}

function elements(names: PythonNames, over: SyntaxNode, index: number | null): SyntaxNode[] | null {
  let source = behind(names, over);
  let pairs = false;
  if (source.type === "call") {
    const callee = child(source, "function");
    const method = callee?.type === "attribute" ? child(callee, "attribute") : null;
    const object = callee?.type === "attribute" ? child(callee, "object") : null;
    const name = method === null ? "" : textOf(names.tree, method);
    if (object === null || !["items", "keys", "values"].includes(name)) return null;
    source = behind(names, object);
    if (source.type !== "dictionary") return null;
    pairs = name === "items";
    if (name === "values") index = 1;
    if (name === "keys") index = 0;
  }
  const all = named(source).slice(0, MAX_ELEMENTS);
  if (source.type === "dictionary") {
    if (pairs && index === null) return null;
    const field = index === 1 ? "value" : "key";
    const found = all.map((pair) => child(pair, field));
    return found.includes(null) ? null : found as SyntaxNode[];
  }
  if (source.type !== "list" && source.type !== "tuple" && source.type !== "set") return null;
  if (index === null) return all;
  const parts = all.map((each) => named(behind(names, each))[index]);
  return parts.includes(undefined) ? null : parts as SyntaxNode[];
}

/** The strings that an expression may be, or null. */
export function stringsOf(
  names: PythonNames,
  constants: Constants,
  node: SyntaxNode,
  depth = 0,
): string[] | null {
  const literal = stringValue(names.tree.text, node);
  if (literal !== null) return [literal];
  const dotted = dottedText(names.tree, node)?.replace(/\.value$/, "");
  if (dotted === undefined || depth > 4) return null;
  const own = names.constants.get(dotted);
  if (own !== undefined) return [own];
  if (node.type === "identifier") {
    const values = loopValues(names, node);
    if (values !== null) {
      const all = values.map((each) => stringsOf(names, constants, each, depth + 1));
      return all.includes(null) ? null : all.flatMap((each) => each ?? []);
    }
  }
  const meant = resolve(names, node)?.replace(/\.value$/, "").split(".") ?? [];
  const found = constants.get(meant.slice(-2).join(".")) ?? constants.get(meant.at(-1) ?? "");
  return found === undefined ? null : [found];
}

/** A function that is registered: its name, and its definition when it is in this module. */
export interface Registered {
  name: string;
  definition: SyntaxNode | null;
}

/** The functions that an expression may be, or null. */
export function functionsOf(names: PythonNames, node: SyntaxNode, depth = 0): Registered[] | null {
  if (depth > 4) return null;
  if (node.type === "identifier") {
    const name = textOf(names.tree, node);
    const definition = names.functions.get(name);
    if (definition !== undefined) return [{ name, definition }];
    const values = loopValues(names, node);
    if (values !== null) {
      const all = values.map((each) => functionsOf(names, each, depth + 1));
      return all.includes(null) ? null : all.flatMap((each) => each ?? []);
    }
    const meant = names.bindings.get(name);
    return meant === undefined ? null : [{ name: meant.split(".").at(-1)!, definition: null }];
  }
  if (node.type === "attribute") {
    const name = child(node, "attribute");
    if (name === null) return null;
    const text = textOf(names.tree, name);
    return [{ name: text, definition: names.functions.get(text) ?? null }];
  }
  if (node.type === "call") {
    // A wrapper such as `tool(log_calls(fn))` usually keeps the name by functools.wraps.
    const { positional } = argumentsOf(names.tree, node);
    return positional.length === 1 ? functionsOf(names, positional[0]!, depth + 1) : null;
  }
  return null;
}
