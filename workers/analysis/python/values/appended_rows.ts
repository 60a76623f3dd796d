/**
 * Rows of a list that a function states or fills: `steps.append(("build", ["make"], None))`, told one by one where
 * nothing else is done with the list.
 *
 * @module
 */
import { argumentsOf, type PythonNames } from "../names.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { isOwn, isParameter, plainValue } from "./assigned.ts";

const IDENTIFIERS = nodeTypes("identifier");

/** What a use of the list's name adds to it; null for a use that may do anything. */
function addedBy(names: PythonNames, use: SyntaxNode): SyntaxNode[] | null {
  const { tree } = names;
  const { parent } = use;
  if (parent === null) return null;
  if (parent.type === "for_statement" && use.field === "right") return [];
  const isAdded = parent.type === "augmented_assignment" &&
    child(parent, "operator")?.type === "+=";
  if ((parent.type === "assignment" || isAdded) && use.field === "left") {
    const right = child(parent, "right");
    const list = right === null ? null : plainValue(right);
    return list?.type === "list" ? named(list) : null;
  }
  const call = parent.parent;
  const isMethod = parent.type === "attribute" && use.field === "object" &&
    parent.field === "function" && call?.type === "call";
  if (!isMethod || textOf(tree, child(parent, "attribute")!) !== "append") return null;
  const { positional, keywords } = argumentsOf(tree, call);
  return positional.length === 1 && keywords.size === 0 ? [...positional] : null;
}

/** All that a function puts into a list by its name; null where that cannot be told. */
function addedTo(names: PythonNames, list: SyntaxNode): SyntaxNode[] | null {
  const around = ancestor(list, "function_definition");
  if (list.type !== "identifier" || around === null) return null;
  const name = textOf(names.tree, list);
  if (!isOwn(names, name) || isParameter(names, list, name)) return null;
  const found: SyntaxNode[] = [];
  let isMade = false;
  for (const use of walk(around, IDENTIFIERS)) {
    if (use.field === "attribute" || textOf(names.tree, use) !== name) continue;
    const added = addedBy(names, use);
    if (added === null) return null;
    found.push(...added);
    isMade ||= use.parent?.type === "assignment";
  }
  // Else it is that of a function around this one.
  return isMade ? found : null;
}

/** The rows of a list of a function, each with so many items; null where not all can be told. */
export function appendedRows(
  names: PythonNames,
  list: SyntaxNode,
  length: number,
): SyntaxNode[][] | null {
  const all = list.type === "list" ? named(list) : addedTo(names, list);
  if (all === null) return null;
  const rows = all.map((each) => {
    const row = plainValue(each);
    return row.type === "tuple" ? named(row) : [];
  });
  const isTold = (row: SyntaxNode[]) =>
    row.length === length && row.every(({ type }) => !/splat/.test(type));
  return rows.every(isTold) ? rows : null;
}
