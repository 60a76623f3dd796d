/**
 * Calls that get their arguments by a table, `Popen(**options)`, where the function makes the table and
 * does nothing else with it.
 *
 * @module
 */
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";
import type { CallArguments, PythonNames } from "../names.ts";
import { isParameter, valuesOf } from "../values/assigned.ts";
import { stringValue } from "../values/literals.ts";

const IDENTIFIERS = nodeTypes("identifier");
/** Ways to a function's names that do not say them. */
export const REACHES_NAMES =
  /\b(?:locals|vars|_getframe|currentframe|f_locals|get_referrers|get_objects|getinnerframes)\b|\binspect\.(?:stack|trace)\b/;
type Entries = Map<string, SyntaxNode>;

/** Adds an entry; false if its key is not stated, or has another value already. */
function add(
  names: PythonNames,
  entries: Entries,
  key: SyntaxNode | null,
  value: SyntaxNode | null,
) {
  const name = key === null ? null : stringValue(names.tree.text, key);
  if (name === null || value === null || entries.has(name)) return false;
  entries.set(name, value);
  return true;
}

function addAll(names: PythonNames, entries: Entries, table: SyntaxNode): boolean {
  return table.type === "dictionary" &&
    named(table).every((pair) =>
      pair.type === "pair" && add(names, entries, child(pair, "key"), child(pair, "value"))
    );
}

/** What a table that is spread holds; null unless the source says all of it. */
function entriesOf(names: PythonNames, splat: SyntaxNode): Entries | null {
  const entries: Entries = new Map();
  const [table] = named(splat);
  if (table === undefined) return null;
  if (table.type !== "identifier") return addAll(names, entries, table) ? entries : null;
  const name = textOf(names.tree, table);
  const around = ancestor(table, "function_definition", "lambda");
  const { values, open } = valuesOf(names, table);
  const [made] = values;
  if (around === null || open || made === undefined || isParameter(names, table, name)) return null;
  if (ancestor(made, "function_definition", "lambda")?.number !== around.number) return null;
  if (values.length > 1 || !addAll(names, entries, made)) return null;
  if (REACHES_NAMES.test(textOf(names.tree, around))) return null;
  for (const each of walk(around, IDENTIFIERS)) {
    if (textOf(names.tree, each) !== name || each.number === table.number) continue;
    const { parent } = each;
    if (each.field === "name" && parent?.type === "keyword_argument") continue;
    if (parent === null || parent.type === "dictionary_splat") continue;
    // `other = table = {…}` is another name for the same.
    const isMade = each.field === "left" && parent.type === "assignment" &&
      parent.parent?.type === "expression_statement" && child(parent, "right")?.type === made.type;
    if (isMade) continue;
    const given = parent.type === "subscript" && each.field === "value" ? parent.parent : null;
    const isSet = given?.type === "assignment" && parent.field === "left";
    if (!isSet || !add(names, entries, child(parent, "subscript"), child(given, "right"))) {
      return null;
    }
  }
  return entries;
}

/** The arguments with those that tables bring, as far as the source says what is in them. */
export function withSpread(names: PythonNames, given: CallArguments): CallArguments {
  const splats = given.positional.filter(({ type }) => type === "dictionary_splat");
  if (splats.length === 0) return given;
  const keywords = new Map(given.keywords);
  const left = new Set(given.positional);
  for (const splat of splats) {
    const entries = entriesOf(names, splat);
    if (entries === null || [...entries.keys()].some((key) => keywords.has(key))) continue;
    for (const [key, value] of entries) keywords.set(key, value);
    left.delete(splat);
  }
  return { positional: [...left], keywords };
}
