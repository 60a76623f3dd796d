/**
 * Variables that are filled into the words of a command, as shells do: `expand(word, environment)` puts
 * the value of `$HOME` in its place. What a word names, the program is told, and nothing else of the
 * environment.
 *
 * @module
 */
import { TALKS } from "../../programs/senders.ts";
import { textsOf } from "../../keys/destinations.ts";
import { isKey } from "../../keys/providers.ts";
import type { Callee } from "../../../python/calls/callee_type.ts";
import type { CallArguments, PythonNames } from "../../../python/names.ts";
import { foldText } from "../../../python/values/folding.ts";
import { modulesBeside } from "../../../python/values/elsewhere.ts";
import { nodeTypes } from "../../../syntax/node_types.ts";
import { textOf } from "../../../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode, walk } from "../../../syntax/tree.ts";

/** The label of words with variables that they name, where others have the whole environment. */
export const EXPANDED = "expanded";

const NAMES = nodeTypes("identifier");
const RETURNS = nodeTypes("return_statement");
const FUNCTIONS = ["function_definition", "lambda"] as const;
const STARTS = /^subprocess\.\w+$/;
/** Programs that reach other machines, for other ends as well. */
const REACHES = /[\s/](ssh|scp|sftp|rsync|ftp|rclone|aws|gsutil|git)\s/;
const VARIABLES = /\$\{?([A-Za-z_]\w*)|%([A-Za-z_]\w*)%/g;

/** `{k.upper(): v for k, v in env.items()}`, given to the same name. */
function isSpeltAnew({ tree }: PythonNames, items: SyntaxNode, name: string): boolean {
  const table = ancestor(items, "dictionary_comprehension");
  const given = table?.parent;
  return given?.type === "assignment" && textOf(tree, child(given, "left")!) === name &&
    /^\{\s*(\w+)(\.(upper|lower)\(\))?\s*:\s*(\w+)\s+for\s+\1\s*,\s*\4\s+in\s+\w+\.items\(\)\s*\}$/
      .test(textOf(tree, table!));
}

/** Whether a function of its own, which a pattern calls for each place, looks up a variable there. */
function isLookup(names: PythonNames, node: SyntaxNode, definition: SyntaxNode): boolean {
  const { parent } = node;
  const inner = ancestor(node, ...FUNCTIONS);
  if (inner === null || inner.number === definition.number || parent === null) return false;
  const call = parent.type === "attribute" ? parent.parent : null;
  const isGet = call?.type === "call" && parent.field === "function" &&
    textOf(names.tree, child(parent, "attribute")!) === "get";
  const key = isGet ? named(child(call, "arguments")!)[0] : child(parent, "subscript");
  const isIn = parent.type === "comparison_operator" &&
    parent.children.some(({ type }) => type === "in" || type === "not in");
  if (isIn) return true;
  return (isGet || parent.type === "subscript" && node.field === "value") &&
    key !== null && key !== undefined && foldText(names, key) === null;
}

/** `PATTERN.sub(value_of, text)`, or a text that the function is given. */
function isFilled(names: PythonNames, node: SyntaxNode, environment: string): boolean {
  if (node.type === "conditional_expression") {
    return [node.children[0]!, node.children.at(-1)!]
      .every((each) => isFilled(names, each, environment));
  }
  if (node.type === "identifier") return textOf(names.tree, node) !== environment;
  const callee = node.type === "call" ? child(node, "function")! : null;
  return callee !== null && /\.sub$/.test(textOf(names.tree, callee));
}

/** Whether a function fills variables of this parameter into a text, and does nothing else with it. */
function expands(names: PythonNames, definition: SyntaxNode, parameter: string): boolean {
  const body = child(definition, "body");
  if (body === null || definition.type !== "function_definition") return false;
  if (!/\.sub\(/.test(textOf(names.tree, body))) return false;
  let lookups = 0;
  for (const node of walk(body, NAMES)) {
    if (textOf(names.tree, node) !== parameter) continue;
    const { parent } = node;
    const isAttribute = parent?.type === "attribute" && node.field === "attribute";
    if (isAttribute) continue;
    if (isLookup(names, node, definition)) lookups++;
    else if (parent?.type === "assignment" && node.field === "left") {
      if (child(parent, "right")?.type !== "dictionary_comprehension") return false;
    } else if (!isSpeltAnew(names, node, parameter)) return false;
  }
  const own = [...walk(body, RETURNS)].filter((each) =>
    ancestor(each, ...FUNCTIONS)?.number === definition.number
  );
  return lookups > 0 && own.length > 0 && own.every((each) => {
    const [value] = named(each);
    return value !== undefined && isFilled(names, value, parameter);
  });
}

/** What is left of the environment that a function of the project is given as a parameter. */
export function environmentAfter(
  { names, definition }: { names: PythonNames; definition: SyntaxNode },
  parameter: string,
  others: readonly string[],
): typeof EXPANDED | "env" {
  // A text of the source says which variables it wants.
  return !others.some((text) => /[$%]/.test(text)) && expands(names, definition, parameter)
    ? EXPANDED
    : "env";
}

/** Whether a text has a program send a key: `curl -d $API_KEY https://…`. */
function sendsKey(text: string): boolean {
  return text.split("\n").some((line) =>
    TALKS.test(line.slice(0, 2000)) &&
    [...line.slice(0, 2000).matchAll(VARIABLES)].some(([, one, other]) => isKey(one ?? other!))
  );
}

const known = new WeakMap<PythonNames, boolean>();

/** Whether a call starts a program here that, as far as the source says, sends nothing. */
export function runsLocally(
  { names, callee, given }: { names: PythonNames; callee: Callee | null; given: CallArguments },
): boolean {
  if (!STARTS.test(callee?.name ?? "")) return false;
  const texts = given.positional.flatMap((each) => textsOf(names, each));
  const told = ` ${texts.join(" ")} `;
  if (TALKS.test(told) || REACHES.test(told)) return false;
  let isSent = known.get(names);
  if (isSent === undefined) {
    known.set(names, isSent = modulesBeside(names).some(({ tree }) => sendsKey(tree.text)));
  }
  return !isSent;
}
