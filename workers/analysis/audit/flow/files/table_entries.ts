/**
 * What tables hold under keys that the source states, and what their keys are.
 *
 * @module
 */
import { valuesOf } from "../../../python/values/assigned.ts";
import { stringValue } from "../../../python/values/literals.ts";
import { dottedText, type PythonNames } from "../../../python/names.ts";
import { type SourceTree, textOf } from "../../../syntax/source_tree.ts";
import { child, named, type SyntaxNode } from "../../../syntax/tree.ts";
import { entryName } from "../label_forms.ts";
import type { Label, Scope } from "../scope.ts";

type Read = (value: SyntaxNode) => ReadonlySet<Label>;

/** Numbers of the entries of which the labels are being read. */
const reading = new WeakMap<SourceTree, Set<number>>();

/** Labels of an entry's value; null inside of itself: `p = {"q": p["q"]}` means an earlier table. */
function valueLabels(
  { tree }: PythonNames,
  value: SyntaxNode,
  read: Read,
): ReadonlySet<Label> | null {
  const open = reading.get(tree) ?? new Set();
  if (open.has(value.number)) return null;
  reading.set(tree, open.add(value.number));
  try {
    return read(value);
  } finally {
    open.delete(value.number);
  }
}

/** What a table holds under a constant key, where the source says; null where it does not. */
export function entryOf(
  names: PythonNames,
  scope: Scope,
  { table, key }: { table: SyntaxNode; key: SyntaxNode | null },
  read: Read,
): ReadonlySet<Label> | null {
  const wanted = key === null ? null : stringValue(names.tree.text, key);
  if (wanted === null) return null;
  const dotted = dottedText(names.tree, table);
  const stored = dotted === null ? undefined : scope.get(entryName(dotted, wanted));
  if (stored !== undefined) return stored;
  const tables = table.type === "dictionary" ? [table] : valuesOf(names, table).values;
  if (tables.length !== 1 || tables[0]!.type !== "dictionary") return null;
  for (const pair of named(tables[0]!)) {
    const own = pair.type === "pair" ? child(pair, "key") : null;
    const value = pair.type === "pair" ? child(pair, "value") : null;
    if (own === null || value === null) continue;
    if (stringValue(names.tree.text, own) === wanted) {
      return valueLabels(names, value, read);
    }
  }
  return null;
}

/** Methods of a table that give none of its keys. */
const GIVES_VALUES = /^(get|values|pop|setdefault|update|clear|append|extend|add)$/;

/** Whether a table is only looked into where it stands: `d[key]`, `d.get(key)`. */
export function isLookedInto({ tree }: PythonNames, node: SyntaxNode): boolean {
  const { parent } = node;
  if (parent?.type === "subscript") return node.field === "value";
  if (parent?.type !== "attribute" || node.field !== "object") return false;
  const method = child(parent, "attribute");
  return parent.field === "function" && parent.parent?.type === "call" && method !== null &&
    GIVES_VALUES.test(textOf(tree, method));
}

/** The table that an assignment gives these keys: `d[key] = …`, `d = {key: …}`. */
export function keysGiven(
  assignment: SyntaxNode,
): { table: SyntaxNode; keys: SyntaxNode[] } | null {
  const [left, right] = [child(assignment, "left"), child(assignment, "right")];
  if (left?.type === "subscript") return keyIn(left);
  if (!isNamed(left) || right?.type !== "dictionary") return null;
  const keys = named(right).map((pair) => child(pair, "key")).filter((key) => key !== null);
  return { table: left, keys };
}

/** The table and the key of `d[key]`. */
export function keyIn(subscript: SyntaxNode): { table: SyntaxNode; keys: SyntaxNode[] } | null {
  const [table, key] = [child(subscript, "value"), child(subscript, "subscript")];
  return table === null || key === null ? null : { table, keys: [key] };
}

const isNamed = (node: SyntaxNode | null): node is SyntaxNode =>
  node !== null && /^(identifier|attribute)$/.test(node.type);

/** Whether a table in source becomes a name's, which has its keys for itself. */
export function isNamesTable({ type, field, parent }: SyntaxNode): boolean {
  return type === "dictionary" && field === "right" && parent?.type === "assignment" &&
    isNamed(child(parent, "left"));
}
