/**
 * Parameters of functions.
 *
 * @module
 */
import type { PythonNames } from "../../python/names.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child, named, type SyntaxNode } from "../../syntax/tree.ts";

/** The plain parameters of a function in order. */
export function parametersOf(names: PythonNames, definition: SyntaxNode): {
  name: string;
  type: string;
}[] {
  const list = child(definition, "parameters");
  const found: { name: string; type: string }[] = [];
  for (const each of list === null ? [] : named(list)) {
    const own = each.type === "identifier"
      ? each
      : child(each, "name") ?? named(each).find(({ type }) => type === "identifier");
    const type = child(each, "type");
    if (own === null || own === undefined) continue;
    const typeText = type === null ? "" : textOf(names.tree, type);
    found.push({ name: textOf(names.tree, own), type: typeText });
  }
  return found;
}

/** Names of the parameters that callers give, in order. */
export function ownParameters(names: PythonNames, definition: SyntaxNode): string[] {
  return parametersOf(names, definition).map(({ name }) => name)
    .filter((name) => name !== "self" && name !== "cls");
}
