/**
 * What tables hold under keys that the source states.
 *
 * @module
 */
import { valuesOf } from "../../../python/values/assigned.ts";
import { stringValue } from "../../../python/values/literals.ts";
import { dottedText, type PythonNames } from "../../../python/names.ts";
import type { SourceTree } from "../../../syntax/source_tree.ts";
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
