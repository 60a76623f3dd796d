/**
 * Tools that show what a token says: its claims reach nobody but the caller who brought it, and nothing
 * is done that depends on them.
 *
 * @module
 */
import { calleeOf } from "../../python/calls/callee.ts";
import type { PythonNames } from "../../python/names.ts";
import { isParameter, valuesOf } from "../../python/values/assigned.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";

const CALLS = nodeTypes("call");
const EFFECTS = nodeTypes(
  "assignment",
  "augmented_assignment",
  "global_statement",
  "nonlocal_statement",
  "delete_statement",
  "function_definition",
  "lambda",
  "import_statement",
  "import_from_statement",
  "with_statement",
);
/** A decorator that makes a function a tool, and nothing else of it. */
const TOOL = /^@[\w.]{1,60}\.tool(\(|$)/;
/** Functions that make texts, numbers and times of what they are given. */
const HARMLESS =
  /^((jose\.)?jwt\.(decode|get_unverified_header)|json\.(dumps|loads)|str|int|float|bool|len|dict|list|tuple|set|sorted|min|max|round|repr|isinstance|enumerate|zip|any|all|(datetime\.)?(datetime|timezone|timedelta|date)(\.(now|utcnow|fromtimestamp|utcfromtimestamp))?|time\.(time|strftime|gmtime)|(\w+\.)?\w*(Error|Exception))$/;
/** Methods of the same kind, whatever object they are of. */
const METHOD =
  /^(get|items|keys|values|join|split|format|strip|lstrip|rstrip|lower|upper|startswith|endswith|removeprefix|replace|isoformat|strftime|timestamp|total_seconds|count)$/;
/** Methods that fill what the function itself has made. */
/** Modules and classes whose attributes are the same for everybody. */
const LIBRARIES = /^(jwt|jose|json|time|datetime|timezone|timedelta|date)$/;
const IDENTIFIERS = nodeTypes("identifier");
const ATTRIBUTES = nodeTypes("attribute");
const FILLS = /^(append|extend|update|setdefault|insert|pop)$/;

/** Whether an object is one that the function made for itself of literals. */
function isLocal(names: PythonNames, object: SyntaxNode, around: SyntaxNode): boolean {
  if (object.type !== "identifier") return false;
  const { values, open } = valuesOf(names, object);
  return !open &&
    values.every((value) =>
      /^(dictionary|list|set|string|integer)$|comprehension$/.test(value.type) &&
      ancestor(value, "function_definition")?.number === around.number
    );
}

function isHarmless(names: PythonNames, call: SyntaxNode, around: SyntaxNode): boolean {
  const callee = child(call, "function");
  if (callee === null) return false;
  if (HARMLESS.test(calleeOf(names, callee)?.name ?? textOf(names.tree, callee))) return true;
  const method = callee.type === "attribute" ? child(callee, "attribute") : null;
  const object = callee.type === "attribute" ? child(callee, "object") : null;
  if (method === null || object === null) return false;
  const name = textOf(names.tree, method);
  // A method of an object from elsewhere may do anything, whatever its name.
  const isOfValue = !/^(identifier|attribute)$/.test(object.type) ||
    isLocal(names, object, around) || isMadeHere(names, object, around);
  return isOfValue && (METHOD.test(name) || FILLS.test(name) && isLocal(names, object, around));
}

/** Whether a name stands for nothing but what the function was given, or made. */
function isMadeHere(names: PythonNames, object: SyntaxNode, around: SyntaxNode): boolean {
  if (object.type !== "identifier") return false;
  if (isParameter(names, object, textOf(names.tree, object))) return true;
  const { values } = valuesOf(names, object);
  return values.length > 0 &&
    values.every((value) => ancestor(value, "function_definition")?.number === around.number);
}

/** Whether a statement changes nothing but names of the function, and tables that it made. */
function isOwn(names: PythonNames, node: SyntaxNode, around: SyntaxNode): boolean {
  if (!/assignment$/.test(node.type)) return node.number === around.number;
  const left = child(node, "left");
  if (left?.type === "subscript") return isLocal(names, child(left, "value")!, around);
  return left?.type === "identifier" || left?.type === "pattern_list";
}

/** Whether a function reads nothing but what it is given as plain values and what it makes. */
function readsOwn(names: PythonNames, around: SyntaxNode): boolean {
  const body = child(around, "body");
  const list = child(around, "parameters");
  if (body === null || list === null) return false;
  // What an object or a default brings may be looked up by what the token says.
  const arePlain = named(list).every((each) =>
    /^\w+(\s*:\s*(str|int|float|bool)(\s*\|\s*None)?)?(\s*=\s*("[^"]*"|'[^']*'|\w+))?$/
      .test(textOf(names.tree, each)) &&
    (child(each, "value") === null ||
      /^(string|integer|float|true|false|none)$/.test(child(each, "value")!.type))
  );
  const isLibrary = (text: string) => LIBRARIES.test(text) && !names.functions.has(text);
  const isName = (each: SyntaxNode) => {
    const text = textOf(names.tree, each);
    if (/^(attribute|name)$/.test(each.field ?? "") && each.parent?.type !== "named_expression") {
      return true;
    }
    if (names.functions.has(text)) return false;
    return isLibrary(text) || HARMLESS.test(text) || isMadeHere(names, each, around) ||
      isBoundIn(names, body, text);
  };
  const isRead = (each: SyntaxNode) =>
    each.parent?.type === "call" && each.field === "function" ||
    isLibrary(textOf(names.tree, each).split(".")[0]!);
  return arePlain && [...walk(body, IDENTIFIERS)].every(isName) &&
    [...walk(body, ATTRIBUTES)].every(isRead);
}

/** Whether a loop or an `except … as` of a function binds a name. */
function isBoundIn({ tree }: PythonNames, body: SyntaxNode, name: string): boolean {
  return new RegExp(`\\b(?:for|as)\\s+(?:\\(?\\w+\\s*,\\s*)*\\(?${name}\\b`).test(
    textOf(tree, body),
  );
}

/** The tool around a call that decodes a token, when it does nothing but show what the token says. */
export function showingTool(names: PythonNames, call: SyntaxNode): SyntaxNode | null {
  const around = ancestor(call, "function_definition", "lambda");
  const decorated = around?.parent;
  if (around?.type !== "function_definition" || decorated?.type !== "decorated_definition") {
    return null;
  }
  const decorators = named(decorated).filter(({ type }) => type === "decorator");
  if (decorators.length !== 1 || !TOOL.test(textOf(names.tree, decorators[0]!))) return null;
  const onlyShows = readsOwn(names, around) &&
    [...walk(around, CALLS)].every((each) => isHarmless(names, each, around)) &&
    [...walk(around, EFFECTS)].every((each) => isOwn(names, each, around));
  return onlyShows ? around : null;
}
