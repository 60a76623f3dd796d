/**
 * What assignments give to which names and attributes.
 *
 * @module
 */
import { argumentsOf, dottedText, firstPart, type PythonNames } from "../../python/names.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { keysGiven } from "../flow/files/table_entries.ts";
import { stringValue } from "../../python/values/literals.ts";
import { child, named, type SyntaxNode } from "../../syntax/tree.ts";

/** `field(default_factory=lambda: value)`: what objects get. */
export function fieldValue(names: PythonNames, value: SyntaxNode): SyntaxNode {
  const callee = value.type === "call" ? child(value, "function") : null;
  if (callee === null || !/(^|\.)[fF]ield$|^attrs?\.\w+$/.test(textOf(names.tree, callee))) {
    return value;
  }
  const { keywords } = argumentsOf(names.tree, value);
  const given = keywords.get("default_factory") ?? keywords.get("factory") ??
    keywords.get("default") ?? value;
  return given.type === "lambda" ? child(given, "body") ?? value : given;
}

/** Pairs of targets and values, row by row. */
export function pairs(left: SyntaxNode, right: SyntaxNode): [SyntaxNode, SyntaxNode][] {
  if (left.type === "subscript") {
    const holder = child(left, "value");
    return holder === null ? [] : [[holder, right]];
  }
  if (left.type === "identifier" || left.type === "attribute") return [[left, right]];
  const [targets, values] = [named(left), named(right)];
  const matches = /^(tuple|list|expression_list)$/.test(right.type) &&
    targets.length === values.length;
  return targets.map((each, at) => [each, matches ? values[at]! : right]);
}

/** Methods after which an object holds what it is given: of tables, queues, context variables. */
const KEEPS =
  /^(append|appendleft|extend|insert|add|update|update_cookies|setdefault|put|put_nowait|set|push)$/;

/** What gets a value; `as` its keys, or what is below it under a name that a text says: `.auth`. */
export interface Given {
  target: SyntaxNode;
  value: SyntaxNode;
  as?: "key" | `.${string}`;
}

/** What a statement or a call gives to whom. */
export function given(names: PythonNames, node: SyntaxNode): Given[] {
  if (node.type === "assignment") {
    const left = child(node, "left");
    const right = child(node, "right");
    if (left === null || right === null) return [];
    const { table, keys } = keysGiven(node) ?? { table: left, keys: [] };
    return [
      ...pairs(left, fieldValue(names, right)).map(([target, value]) => ({ target, value })),
      ...keys.map((value) => ({ target: table, value, as: "key" as const })),
    ];
  }
  const callee = child(node, "function");
  const { positional, keywords } = argumentsOf(names.tree, node);
  if (callee?.type === "identifier" && textOf(names.tree, callee) === "setattr") {
    const [target, key, value] = positional;
    const name = key === undefined ? null : stringValue(names.tree.text, key);
    return name === null || value === undefined ? [] : [{ target: target!, value, as: `.${name}` }];
  }
  const method = callee?.type === "attribute" ? child(callee, "attribute") : null;
  const object = callee?.type === "attribute" ? child(callee, "object") : null;
  if (method === null || object === null || !KEEPS.test(textOf(names.tree, method))) return [];
  const dotted = dottedText(names.tree, object);
  if (dotted === null || isImported(names, dotted)) return [];
  return [...positional, ...keywords.values()].map((value) => ({ target: object, value }));
}

/** Whether a dotted name begins with one that the module imports. */
export function isImported(names: PythonNames, dotted: string): boolean {
  return names.bindings.has(firstPart(dotted));
}
