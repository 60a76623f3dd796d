/**
 * What `**options` gives a program that is started, without its variables: these are its own.
 *
 * @module
 */
import { nodeTypes } from "../../../syntax/node_types.ts";
import { calleeOf } from "../../../python/calls/callee.ts";
import { stringValue } from "../../../python/values/literals.ts";
import type { PythonNames } from "../../../python/names.ts";
import { textOf } from "../../../syntax/source_tree.ts";
import { child, named, type SyntaxNode, walk } from "../../../syntax/tree.ts";
import type { ObservedCall } from "../observed.ts";
import { isLookedAt, valuesBesides } from "./option_tables.ts";

type Target = NonNullable<ReturnType<ObservedCall["target"]>>;

const STARTS = /^subprocess\.\w+$/;
const RETURNS = nodeTypes("return_statement");
const IDENTIFIERS = nodeTypes("identifier");
/** Entries that tell a program nothing. */
const TELLS_NOTHING =
  /^(env|cwd|close_fds|pass_fds|preexec_fn|start_new_session|creationflags|startupinfo|stdout|stderr|text|encoding|errors|bufsize|umask|user|group|timeout|check|shell|universal_newlines|restore_signals|process_group)$/;

/** Whether a table that is written out has no entry that tells a program something. */
function isSilent({ tree }: PythonNames, table: SyntaxNode): boolean {
  if (table.type === "dictionary") {
    return named(table).every((pair) => {
      const key = child(pair, "key");
      return key !== null && TELLS_NOTHING.test(stringValue(tree.text, key) ?? "");
    });
  }
  return /^dict\(\s*\)$/.test(textOf(tree, table));
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
      return given !== null && isSilent(made.names, given);
    }
    const key = parent.type === "subscript" && field === "value"
      ? child(parent, "subscript")
      : null;
    if (key !== null && stringValue(tree.text, key) === "env" && isLookedAt(made.names, parent)) {
      return true;
    }
    const isSet = parent.parent?.type === "assignment" && parent.field === "left";
    return key !== null && isSet && TELLS_NOTHING.test(stringValue(tree.text, key) ?? "");
  });
}

/** What `**options` gives a program, as far as the source says it, without its variables. */
export function optionValues(call: ObservedCall, node: SyntaxNode): SyntaxNode[] {
  const inner = node.type === "dictionary_splat" ? named(node)[0] : undefined;
  return inner === undefined || !STARTS.test(call.callee?.name ?? "")
    ? [node]
    : valuesBut(call, node, inner);
}

/** Whether a function has other options for a program, and does nothing else with them. */
function takesOptions({ names, definition }: Target, parameter: string): boolean {
  const list = child(definition, "parameters");
  const isTable = list !== null &&
    named(list).some((each) =>
      each.type === "dictionary_splat_pattern" && textOf(names.tree, named(each)[0]!) === parameter
    );
  return isTable && [...walk(child(definition, "body")!, IDENTIFIERS)].every((node) => {
    if (textOf(names.tree, node) !== parameter) return true;
    const call = node.parent?.type === "dictionary_splat" ? node.parent.parent?.parent : null;
    return call?.type === "call" &&
      STARTS.test(calleeOf(names, child(call, "function")!)?.name ?? "");
  });
}

/** What a parameter of a function of the project is given, but the variables of a program. */
export function givenOptions(
  call: ObservedCall,
  target: Target,
  parameter: string,
  node: SyntaxNode,
): SyntaxNode[] {
  const inner = node.type === "dictionary_splat" ? named(node)[0] : undefined;
  return inner === undefined || !takesOptions(target, parameter)
    ? [node]
    : valuesBut(call, node, inner);
}

function valuesBut(call: ObservedCall, node: SyntaxNode, inner: SyntaxNode): SyntaxNode[] {
  return valuesBesides(call.names, inner, (value) => tellsNothing(call, value)) ?? [node];
}
