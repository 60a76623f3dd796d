/**
 * Places where a caller's word is one of a list of the source, or of plain characters alone, since a
 * condition around them says so: `if table in TABLES: …`, `table if table in TABLES else None`.
 *
 * @module
 */
import { dottedText, type PythonNames } from "../../../python/names.ts";
import { nodeTypes } from "../../../syntax/node_types.ts";
import { textOf } from "../../../syntax/source_tree.ts";
import { child, named, type SyntaxNode, walk } from "../../../syntax/tree.ts";
import type { Label } from "../scope.ts";

const BRANCHES = /^(if_statement|elif_clause)$/;
const COMPREHENSIONS =
  /^(list_comprehension|set_comprehension|generator_expression|dictionary_comprehension)$/;
const DEFERRED = /^(function_definition|lambda|class_definition)$/;
const BINDING = nodeTypes(
  "assignment",
  "augmented_assignment",
  "named_expression",
  "as_pattern",
  "for_statement",
);
/** What a name may be followed by where it is compared: its case, and blanks around it. */
const SAME = /^(\.(lower|upper|casefold|strip)\(\))*$/;
const PLAIN =
  /^(\.(lower|upper|strip)\(\)|\.replace\(\s*(["'])[_.$]\3\s*,\s*(["'])\4\s*\))*\.is(alnum|alpha|decimal|digit|identifier|numeric)\(\)$/;
const MATCHES = /^re\.fullmatch\(\s*r?("[^"{}]*"|'[^'{}]*')\s*,\s*(\w+)\s*\)$/;
const LIST =
  /^(identifier|attribute|list|tuple|set|dictionary|call|subscript|parenthesized_expression)$/;
const MAX_UP = 60;

/** The conditions that hold wherever `node`, a part of `parent`, runs or is taken. */
function conditionsAt(node: SyntaxNode, parent: SyntaxNode): SyntaxNode[] {
  if (BRANCHES.test(parent.type)) {
    const condition = child(parent, "condition");
    return node.field === "consequence" && condition !== null ? [condition] : [];
  }
  if (parent.type === "conditional_expression") {
    const [value, , condition] = parent.children;
    return value?.number === node.number && condition !== undefined ? [condition] : [];
  }
  if (!COMPREHENSIONS.test(parent.type) || node.field !== "body") return [];
  return named(parent).filter(({ type }) => type === "if_clause")
    .flatMap((clause) => named(clause).slice(0, 1));
}

/** The parts of a condition that hold whenever all of it does. */
function parts(condition: SyntaxNode): SyntaxNode[] {
  if (condition.type === "parenthesized_expression") return named(condition).flatMap(parts);
  const isBoth = condition.type === "boolean_operator" &&
    child(condition, "operator")?.type === "and";
  return isBoth ? named(condition).flatMap(parts) : [condition];
}

/** Whether a part of a condition lets only what the source allows through as `name`. */
function allows(
  { tree }: PythonNames,
  part: SyntaxNode,
  name: string,
  isOwn: IsOwn,
): boolean {
  const text = textOf(tree, part).slice(0, 500);
  if (part.type === "call") {
    return text.startsWith(name) && PLAIN.test(text.slice(name.length)) ||
      MATCHES.exec(text)?.[2] === name;
  }
  if (part.type !== "comparison_operator" || part.children.length !== 3) return false;
  const [left, operator, right] = part.children as [SyntaxNode, SyntaxNode, SyntaxNode];
  const compared = textOf(tree, left);
  if (!compared.startsWith(name) || !SAME.test(compared.slice(name.length))) return false;
  if (operator.type === "==") return right.type === "string" && isOwn(right);
  return operator.type === "in" && LIST.test(right.type) && isOwn(right);
}

function isBoundIn(names: PythonNames, place: SyntaxNode, name: string): boolean {
  const word = new RegExp(`\\b${name}\\b`);
  return [...walk(place, BINDING)].some((each) => {
    const target = child(each, "left") ?? child(each, "name") ?? child(each, "alias");
    return word.test(textOf(names.tree, target ?? each));
  });
}

/** Whether an expression holds nothing of the caller's. */
type IsOwn = (node: SyntaxNode) => boolean;

/** Conditions that are looked at for the sake of others: each would ask all those around it again. */
const MAX_NESTED = 2;
let nested = 0;

/** Whether a name stands where a condition lets only values through that the source allows. */
export function isCheckedPlace(names: PythonNames, node: SyntaxNode, isOwn: IsOwn): boolean {
  const name = dottedText(names.tree, node);
  if (name === null || !/^\w+$/.test(name) || nested >= MAX_NESTED) return false;
  nested++;
  try {
    return isCheckedAround(names, node, name, isOwn);
  } finally {
    nested--;
  }
}

function isCheckedAround(
  names: PythonNames,
  node: SyntaxNode,
  name: string,
  isOwn: IsOwn,
): boolean {
  let inner = node;
  for (let up = 0; up < MAX_UP; up++) {
    const { parent } = inner;
    if (parent === null || DEFERRED.test(parent.type)) return false;
    for (const condition of conditionsAt(inner, parent)) {
      if (!parts(condition).some((part) => allows(names, part, name, isOwn))) continue;
      if (!isBoundIn(names, inner, name)) return true;
    }
    inner = parent;
  }
  return false;
}

/** Whether a label says that a caller of a tool gives a value. */
export function isCallers(label: Label): boolean {
  return /^(tool|lead):/.test(label);
}

/** Labels of a name without the caller's, where a condition around it lets only others through. */
export function lettingThrough(
  names: PythonNames,
  node: SyntaxNode,
  labels: ReadonlySet<Label>,
  isOwn: IsOwn,
): Iterable<Label> {
  if (![...labels].some(isCallers) || !isCheckedPlace(names, node, isOwn)) return labels;
  return [...labels].filter((label) => !isCallers(label));
}

/**
 * What a comprehension takes its items from, if it keeps those alone that the source allows:
 * `[x for x in given if x in ALLOWED]`.
 */
export function allowedItems(
  names: PythonNames,
  node: SyntaxNode,
  isOwn: IsOwn,
): SyntaxNode | null {
  if (!COMPREHENSIONS.test(node.type)) return null;
  const body = child(node, "body");
  const clauses = named(node).filter(({ type }) => type === "for_in_clause");
  const item = clauses.length === 1 ? child(clauses[0]!, "left") : null;
  if (body?.type !== "identifier" || item === null) return null;
  const isItem = textOf(names.tree, item) === textOf(names.tree, body);
  return isItem && isCheckedPlace(names, body, isOwn) ? child(clauses[0]!, "right") : null;
}
