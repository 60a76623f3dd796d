/**
 * Values of the source that stand for what a caller does not say, and do nothing.
 *
 * @module
 */
import { argumentsOf, dottedText, type PythonNames } from "../../../python/names.ts";
import { stringValue } from "../../../python/values/literals.ts";
import { named, type SyntaxNode } from "../../../syntax/tree.ts";

/** What a caller who says nothing may run: nothing that a shell would take apart. */
const HARMLESS_DEFAULT =
  /^\s*(?:(?:ls|pwd|date|whoami|uptime|uname|help)(?:\s+-\w+)?|(?:select|show|match|describe)\b[^;|&$`\n\\]*|print\(["']?[\w ,!]*["']?\)|.{0,2})\s*;?\s*$/i;
/** Queries that reach beyond their database. */
const REACHES_OUT =
  /\b(into|outfile|dumpfile|copy|call|exec\w*|load_\w+|pg_\w+|lo_\w+|xp_\w+|dblink\w*|readfile|writefile|edit)\b/i;

/** Whether an expression is a text of the source. */
export function isText(node: SyntaxNode): boolean {
  return /^(string|concatenated_string)$/.test(node.type);
}

/** The text that an expression states, also by a constant of the module. */
export function statedText(names: PythonNames, node: SyntaxNode): string | null {
  if (isText(node)) return stringValue(names.tree.text, node);
  const dotted = dottedText(names.tree, node);
  return dotted === null ? null : names.constants.get(dotted) ?? null;
}

/** Nothing at all, in place of the caller's text. */
export function isNothing(names: PythonNames, node: SyntaxNode): boolean {
  if (/^(dictionary|list|tuple)$/.test(node.type)) return named(node).length === 0;
  return /^(none|false|true|ellipsis|integer|float)$/.test(node.type) ||
    statedText(names, node)?.trim() === "";
}

/** A default that runs nothing of the author's: none, or a text that everyone knows. */
export function isHarmlessDefault(names: PythonNames, value: SyntaxNode): boolean {
  if (isNothing(names, value)) return true;
  if (value.type !== "call") {
    const text = statedText(names, value) ?? ";;;";
    return HARMLESS_DEFAULT.test(text) && !REACHES_OUT.test(text);
  }
  // `Field("…", description=…)`.
  const { positional: [first], keywords } = argumentsOf(names.tree, value);
  const given = [first, keywords.get("default")].filter((each) => each !== undefined);
  return ["default_factory", "factory", "validator", "converter"].every((key) =>
    !keywords.has(key)
  ) && given.every((each) => isHarmlessDefault(names, each));
}
