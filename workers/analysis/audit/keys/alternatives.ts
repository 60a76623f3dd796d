/**
 * Values that are one of several variables, whichever is set: `key = first or second`. The labels of
 * such variables have the same mark behind their names, so that nobody takes them for sent together.
 *
 * @module
 */
import { isOwn } from "../../python/values/assigned.ts";
import type { PythonNames } from "../../python/names.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";
import type { Label } from "../flow/scope.ts";

/** Reads the labels of a value. */
export type Read = (value: SyntaxNode) => ReadonlySet<Label>;

const VARIABLE = "var:";
const MARK = "|";
/** Begins the marks of attributes. */
export const OF_OBJECT = "@";
const FUNCTIONS = ["function_definition", "lambda"];
const NAMES = nodeTypes("identifier");
const LEAVES = nodeTypes("break_statement", "return_statement");
const LOOPS =
  /^(for_statement|while_statement|(list|set|dictionary)_comprehension|generator_expression)$/;
/** What may put one value beside another. */
const JOINS = nodeTypes(
  "binary_operator",
  "interpolation",
  "list",
  "tuple",
  "set",
  "dictionary",
  "list_comprehension",
  "generator_expression",
);

/** The variable that a label is of; null for any other label. */
export function variableOf(label: Label): string | null {
  if (!label.startsWith(VARIABLE)) return null;
  const mark = label.indexOf(MARK);
  return label.slice(VARIABLE.length, mark < 0 ? undefined : mark);
}

/** What is there at the same time: a variable by itself, or one of those with the same mark. */
function unitOf(label: Label): string {
  const mark = label.indexOf(MARK);
  return mark < 0 ? label : label.slice(mark);
}

/** Labels of variables, those that exclude each other together. */
export function unitsOf(labels: Iterable<Label>): string[][] {
  const units = new Map<string, string[]>();
  for (const label of labels) {
    const name = variableOf(label);
    if (name === null) continue;
    const unit = unitOf(label);
    units.set(unit, [...units.get(unit) ?? [], name]);
  }
  return [...units.values()];
}

/** Labels of variables of which only one is there, with a mark in common. */
export function marked(labels: ReadonlySet<Label>, mark: string): Set<Label> {
  return new Set([...labels].map((label) => {
    const name = variableOf(label);
    return name === null ? label : `${VARIABLE}${name}${MARK}${mark}`;
  }));
}

/** Labels as whoever may see several objects has them: what one of them chooses, another may not. */
export function ofAnyObject<Labels extends ReadonlySet<Label>>(
  labels: Labels,
): Labels | Set<Label> {
  const isOfObject = (label: Label) => label.includes(MARK + OF_OBJECT);
  if (![...labels].some(isOfObject)) return labels;
  return new Set(
    [...labels].map((label) => isOfObject(label) ? VARIABLE + variableOf(label)! : label),
  );
}

/** Labels of what a call gives: another call may give another of the variables. */
export function ofCallAt(
  { tree }: PythonNames,
  call: SyntaxNode,
  labels: ReadonlySet<Label>,
): ReadonlySet<Label> {
  const isMarked = (label: Label) => variableOf(label) !== null && label.includes(MARK);
  if (![...labels].some(isMarked)) return labels;
  const mark = `#${tree.path}:${call.number}`;
  return new Set([...labels].map((label) => isMarked(label) ? label + mark : label));
}

/** `(a or b).strip()`, `str(a)`: the value itself. */
function inside(names: PythonNames, value: SyntaxNode): SyntaxNode {
  const first = named(value)[0];
  if (/^(parenthesized_expression|await)$/.test(value.type) && first !== undefined) {
    return inside(names, first);
  }
  if (value.type !== "call") return value;
  const callee = child(value, "function")!;
  const method = callee.type === "attribute" ? textOf(names.tree, child(callee, "attribute")!) : "";
  if (/^[lr]?strip$/.test(method)) return inside(names, child(callee, "object")!);
  const [given] = named(child(value, "arguments")!);
  return textOf(names.tree, callee) === "str" && given !== undefined ? inside(names, given) : value;
}

/** Whether a value is one of its variables at most. */
export function isOne(names: PythonNames, value: SyntaxNode, read: Read): boolean {
  const node = inside(names, value);
  if (node.type === "conditional_expression") {
    return [node.children[0]!, node.children.at(-1)!].every((each) => isOne(names, each, read));
  }
  if (node.type === "boolean_operator" && child(node, "operator")?.type === "or") {
    return named(node).every((each) => isOne(names, each, read));
  }
  // `next(table[n] for n in names if n in table)`.
  const given = node.type === "call" && textOf(names.tree, child(node, "function")!) === "next"
    ? child(node, "arguments")
    : null;
  const element = given?.type === "generator_expression" ? child(given, "body") : null;
  if (element !== null && [...walk(element, JOINS)].length === 0) return true;
  return unitsOf(read(node)).length <= 1;
}

/** Whether a loop around an assignment ends with the first value that there is, and keeps no other. */
function isChosenByLoop(names: PythonNames, loop: SyntaxNode, by: SyntaxNode): boolean {
  const { tree } = names;
  const name = textOf(tree, child(by, "left")!);
  const isName = (node: SyntaxNode) => textOf(tree, node) === name;
  if ([...walk(child(by, "right")!, JOINS)].length > 0) return false;
  const ends = [...walk(loop, LEAVES)].some((each) => {
    const condition = ancestor(each, "if_statement");
    return condition !== null && condition.start > loop.start &&
      [...walk(child(condition, "condition")!, NAMES)].some(isName);
  });
  return ends && [...walk(loop, NAMES)].filter(isName).every((each) => {
    const { parent } = each;
    if (parent?.type === "assignment") return each.field === "left";
    if (parent?.type === "return_statement") return true;
    const condition = each.field === "condition" || parent?.type === "not_operator";
    return condition && !LOOPS.test(parent?.type ?? "");
  });
}

/** The loop around a node in its function. */
export function loopAround(node: SyntaxNode): SyntaxNode | null {
  for (let up = node.parent; up !== null && !FUNCTIONS.includes(up.type); up = up.parent) {
    if (LOOPS.test(up.type)) return up;
  }
  return null;
}

/** The labels of a value that a name is given: marked where the name has but one variable at a time. */
export function heldByName(
  names: PythonNames,
  by: SyntaxNode,
  labels: Set<Label>,
  read: Read,
): Set<Label> {
  const target = child(by, "left");
  const value = child(by, "right");
  if (by.type !== "assignment" || target?.type !== "identifier" || value === null) return labels;
  const name = textOf(names.tree, target);
  if (unitsOf(labels).length === 0) return labels;
  const loop = loopAround(by);
  const isSingle = loop === null
    ? isOne(names, value, read)
    : loop.type === "for_statement" && isChosenByLoop(names, loop, by);
  if (!isSingle || !isOwn(names, name)) return labels;
  const around = ancestor(by, ...FUNCTIONS)?.number ?? 0;
  return marked(labels, `${names.tree.path}:${around}:${name}`);
}

/** The labels of what a function returns: marked where each of its ways gives one variable at most. */
export function returnedLabels(
  names: PythonNames,
  definition: SyntaxNode,
  values: readonly SyntaxNode[],
  read: Read,
): Set<Label> {
  const ofAny = (value: SyntaxNode) => ofAnyObject(read(value));
  const parts = values.map(ofAny);
  const all = new Set(parts.flatMap((each) => [...each]));
  if (unitsOf(all).length < 2) return all;
  const isSingle = values.every((each) =>
    each.parent?.type === "return_statement" && isOne(names, each, ofAny)
  );
  return isSingle ? marked(all, `${names.tree.path}:${definition.number}`) : all;
}
