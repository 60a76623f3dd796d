/**
 * Tables in Python source.
 *
 * @module
 */
import { child, named, type SyntaxNode } from "../../syntax/tree.ts";
import { plainValue, valuesOf } from "./assigned.ts";
import { argumentsOf, type PythonNames } from "../names.ts";

/** The values of a dictionary, list or call of `dict`, written out or behind a name. */
export function tableEntries(names: PythonNames, table: SyntaxNode): SyntaxNode[] {
  const plain = plainValue(table);
  const tables = /^(identifier|attribute)$/.test(plain.type)
    ? valuesOf(names, plain).values
    : [plain];
  return tables.flatMap((each) => {
    if (each.type === "dictionary") {
      return named(each).map((pair) => child(pair, "value")).filter((value) => value !== null);
    }
    if (each.type === "call") return [...argumentsOf(names.tree, each).keywords.values()];
    return /^(list|tuple|set)$/.test(each.type) ? named(each) : [];
  });
}
