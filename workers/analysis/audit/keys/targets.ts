/**
 * What assignments give to which names and attributes.
 *
 * @module
 */
import { argumentsOf, type PythonNames } from "../../python/names.ts";
import { textOf } from "../../syntax/source_tree.ts";
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
