/**
 * Keywords of calls, also in tables that are unpacked, and the input that a call gives a program.
 *
 * @module
 */
import type { CallArguments, PythonNames } from "../../python/names.ts";
import { valuesOf } from "../../python/values/assigned.ts";
import { stringValue } from "../../python/values/literals.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child, named, type SyntaxNode } from "../../syntax/tree.ts";

/** The value of a keyword, also one of a table that is unpacked. */
export function keywordOf(
  names: PythonNames,
  given: CallArguments,
  key: string,
): SyntaxNode | undefined {
  const own = given.keywords.get(key);
  if (own !== undefined) return own;
  for (const each of given.positional) {
    if (each.type !== "dictionary_splat") continue;
    const [inner] = named(each);
    if (inner === undefined) continue;
    const tables = inner.type === "dictionary" ? [inner] : valuesOf(names, inner).values;
    for (const pair of tables.flatMap(named)) {
      const name = pair.type === "pair" ? child(pair, "key") : null;
      if (name !== null && stringValue(names.tree.text, name) === key) {
        return child(pair, "value") ?? undefined;
      }
    }
  }
  return undefined;
}

/** What a call gives a started program to read: a text, or what another program writes. */
export function inputOf(names: PythonNames, given: CallArguments): SyntaxNode | undefined {
  const input = keywordOf(names, given, "input") ?? given.keywords.get("_in");
  if (input !== undefined) return input;
  // `stdin=e.stdout` after `e = Popen(["echo", x], stdout=PIPE)`.
  const from = given.keywords.get("stdin");
  const attribute = from?.type === "attribute" ? child(from, "attribute") : null;
  const holder = from?.type === "attribute" ? child(from, "object") : null;
  if (attribute === null || holder === null || textOf(names.tree, attribute) !== "stdout") {
    return undefined;
  }
  const makers = holder.type === "call" ? [holder] : valuesOf(names, holder).values;
  return makers.find(({ type }) => type === "call");
}
