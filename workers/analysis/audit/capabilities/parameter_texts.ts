/**
 * What a function says of its parameters: in their annotations and in its documentation.
 *
 * @module
 */
import type { PythonNames } from "../../python/names.ts";
import { docstringOf, stringValue } from "../../python/values/literals.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";

const STRINGS = nodeTypes("string");
const MAX_TEXT = 300;

/** Descriptions of a parameter: `Annotated[str, "…"]`, `Field(description="…")`, `command: …`. */
export function parameterTexts(
  { tree }: PythonNames,
  definition: SyntaxNode,
  parameter: string,
): string[] {
  const list = child(definition, "parameters");
  const own = new RegExp(`^${parameter.replace(/\W/g, "\\$&")}\\b`);
  const texts = (list === null ? [] : named(list)).filter((each) => own.test(textOf(tree, each)))
    .flatMap((each) => [...walk(each, STRINGS)])
    .map((each) => stringValue(tree.text, each)?.slice(0, MAX_TEXT) ?? "");
  const lines = (docstringOf(tree.text, child(definition, "body")) ?? "").split("\n");
  for (const line of lines) {
    const plain = line.trim().replace(/^[-*`]*\s*(?::param\s+(?:\w+\s+)?)?/, "");
    const told = own.test(plain) ? /^\w+`?\s*(?:\([^)]*\))?\s*[:–-]\s*(.*)/.exec(plain)?.[1] : null;
    if (told) texts.push(told.slice(0, MAX_TEXT));
  }
  return texts;
}
