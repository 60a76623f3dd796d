/**
 * What `**options` gives a program that is started, without its variables: these are its own.
 *
 * @module
 */
import { nodeTypes } from "../../../syntax/node_types.ts";
import { valuesOf } from "../../../python/values/assigned.ts";
import { calleeOf } from "../../../python/calls/callee.ts";
import { stringValue } from "../../../python/values/literals.ts";
import { argumentsOf } from "../../../python/names.ts";
import { textOf } from "../../../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode, walk } from "../../../syntax/tree.ts";
import type { ObservedCall } from "../observed.ts";

const RETURNS = nodeTypes("return_statement");
const IDENTIFIERS = nodeTypes("identifier");
/** What a program is told by. */
const TELLS = "args|input|stdin|executable";
/** Entries that tell a program nothing. */
const TELLS_NOTHING =
  /^(env|cwd|close_fds|pass_fds|preexec_fn|start_new_session|creationflags|startupinfo|stdout|stderr|text|encoding|errors|bufsize|umask|user|group|timeout|check|shell|universal_newlines|restore_signals|process_group)$/;

/** The values of a table that is written out, but for its variables; null where it is not. */
function writtenValues({ names }: ObservedCall, table: SyntaxNode): SyntaxNode[] | null {
  if (table.type === "dictionary") {
    return named(table).flatMap((pair) => {
      const key = child(pair, "key");
      const value = child(pair, "value");
      if (key === null || value === null) return [pair];
      return stringValue(names.tree.text, key) === "env" ? [] : [value];
    });
  }
  const callee = table.type === "call" ? child(table, "function") : null;
  if (callee === null || textOf(names.tree, callee) !== "dict") return null;
  const { positional, keywords } = argumentsOf(names.tree, table);
  return [
    ...positional,
    ...[...keywords].flatMap(([key, value]) => key === "env" ? [] : [value]),
  ];
}

/** Whether an own function gives a table with nothing that tells a program anything. */
function tellsNothing(call: ObservedCall, value: SyntaxNode): boolean {
  const callee = value.type === "call" ? child(value, "function") : null;
  const name = callee === null ? undefined : calleeOf(call.names, callee)?.name;
  const made = name === undefined ? null : call.find(call.names, name);
  const body = made === null ? null : child(made.definition, "body");
  if (made === null || body === null || made.definition.type !== "function_definition") {
    return false;
  }
  const { tree } = made.names;
  const results = [...walk(body, RETURNS)].map((each) => named(each)[0]);
  const table = results[0]?.type === "identifier" ? textOf(tree, results[0]) : null;
  if (table === null) return false;
  if (!results.every((each) => each !== undefined && textOf(tree, each) === table)) return false;
  return [...walk(body, IDENTIFIERS)].every((node) => {
    const { parent, field } = node;
    if (textOf(tree, node) !== table || parent === null) return true;
    if (parent.type === "return_statement") return true;
    if (parent.type === "assignment" && field === "left") {
      const given = child(parent, "right");
      return given !== null && /^(\{\s*\}|dict\(\s*\))$/.test(textOf(tree, given));
    }
    const key = parent.type === "subscript" && field === "value"
      ? child(parent, "subscript")
      : null;
    const isSet = parent.parent?.type === "assignment" && parent.field === "left";
    return key !== null && isSet && TELLS_NOTHING.test(stringValue(tree.text, key) ?? "");
  });
}

/** What `**options` gives a program, as far as the source says it, without its variables. */
export function optionValues(call: ObservedCall, node: SyntaxNode): SyntaxNode[] {
  const { names, callee } = call;
  const inner = node.type === "dictionary_splat" ? named(node)[0] : undefined;
  if (inner === undefined || !/^subprocess\.\w+$/.test(callee?.name ?? "")) return [node];
  const { values, open } = valuesOf(names, inner);
  // `options.setdefault("env", …)`: what else is in it, its callers say.
  const around = ancestor(node, "function_definition");
  const text = around === null ? "" : textOf(names.tree, around);
  const sets = (entries: string) =>
    new RegExp(
      `\\b${textOf(names.tree, inner)}(\\.setdefault\\(|\\[)\\s*["'](${entries})["']`,
    ).test(text);
  const isTold = sets(TELLS) ||
    new RegExp(`\\b${textOf(names.tree, inner)}\\.update\\(`).test(text);
  if (open && sets("env") && !sets(TELLS)) return [];
  if (open || isTold) return [node];
  const found = values.map((each) => tellsNothing(call, each) ? [] : writtenValues(call, each));
  return found.some((each) => each === null) ? [node] : found.flatMap((each) => each!);
}
