/**
 * Docstrings of Python.
 *
 * @module
 */
import { named, type SyntaxNode } from "../../syntax/tree.ts";

/** Whether a statement is a Python docstring: a string alone at the head of a body. */
export function isDocstring(node: SyntaxNode): boolean {
  if (node.type !== "expression_statement") return false;
  const parent = node.parent;
  if (parent === null || (parent.type !== "module" && parent.type !== "block")) return false;
  if (named(parent)[0] !== node) return false;
  const inside = named(node);
  return inside.length === 1 && inside[0]!.type === "string";
}
