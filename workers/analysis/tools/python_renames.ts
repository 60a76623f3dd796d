/**
 * Python that gives tools or their functions other names than the ones at their definitions. What
 * such a tool is called is known only while the server runs.
 *
 * @module
 */
import { stringValue } from "../python/values/literals.ts";
import { argumentsOf, type PythonNames, resolve } from "../python/names.ts";
import { nodeTypes } from "../syntax/node_types.ts";
import { textOf } from "../syntax/source_tree.ts";
import { child, named, type SyntaxNode, walk } from "../syntax/tree.ts";
import { placed } from "./python_functions.ts";
import type { Constants } from "./python_modules.ts";

const FUNCTIONS = nodeTypes("function_definition");
/** What a decorator does that hands on the name of the function below it. */
const HANDS_ON = /\bwraps\b|\bupdate_wrapper\b|__name__|\bdecorat/;
const TOOL = /(^|\.)\w*Tool(\.\w+)?$/;

/** Whether what `decorator` (an expression) makes of a function has that function's name. */
function keepsName(constants: Constants, names: PythonNames, decorator: SyntaxNode): boolean {
  const callee = decorator.type === "call" ? child(decorator, "function") : decorator;
  if (callee === null) return true;
  const own = names.functions.get(textOf(names.tree, callee));
  const found = own === undefined
    ? placed(constants, names, resolve(names, callee) ?? textOf(names.tree, callee))
    : { tree: names.tree, node: own };
  // Libraries' decorators are taken as well-behaved.
  const body = found === null ? null : child(found.node, "body");
  if (found === null || body === null || HANDS_ON.test(textOf(found.tree, found.node))) return true;
  return [...walk(body, FUNCTIONS)].length === 0;
}

/** Whether a decorator below `node`, a decorator too, hides the function's own name. */
export function isHidden(constants: Constants, names: PythonNames, node: SyntaxNode): boolean {
  return (node.parent?.children ?? []).some((other) => {
    const [expression] = other.type === "decorator" && other.start > node.start ? named(other) : [];
    return expression !== undefined && !keepsName(constants, names, expression);
  });
}

/** Whether the call `wrapper(fn)` makes a function that has another name than `fn`. */
export function hidesName(constants: Constants, names: PythonNames, call: SyntaxNode): boolean {
  return !keepsName(constants, names, call);
}

/** Whether `node` is what makes a tool, is called one, or is a function that became one. */
function isTool(names: PythonNames, node: SyntaxNode): boolean {
  const written = textOf(names.tree, node);
  if (node.type !== "identifier") return /_tools?\b/.test(written);
  if (/tool/i.test(written)) return true;
  const made = names.calls.get(written);
  const callee = made === undefined ? null : child(made, "function");
  if (callee !== null && TOOL.test(resolve(names, callee) ?? "")) return true;
  const definition = names.functions.get(written)?.parent;
  return definition?.type === "decorated_definition" &&
    definition.children.some((each) =>
      each.type === "decorator" && /\.tool\b/.test(textOf(names.tree, each))
    );
}

/** Whether setting `attribute` of `holder` to `value` gives a tool another name. */
function renames(
  names: PythonNames,
  holder: SyntaxNode,
  attribute: string,
  value: SyntaxNode,
): boolean {
  // `inner.__name__ = f.__name__` is what functools.wraps does.
  if (attribute === "__name__") return !/\.__name__$/.test(textOf(names.tree, value));
  return attribute === "name" && isTool(names, holder);
}

function byAssignment(names: PythonNames, node: SyntaxNode): boolean {
  const left = child(node, "left");
  const right = child(node, "right");
  if (left === null || right === null) return false;
  if (left.type === "subscript") {
    const holder = child(left, "value");
    return holder?.type === "attribute" && /\._tools$/.test(textOf(names.tree, holder));
  }
  const holder = left.type === "attribute" ? child(left, "object") : null;
  const attribute = holder === null ? null : child(left, "attribute");
  return holder !== null && attribute !== null &&
    renames(names, holder, textOf(names.tree, attribute), right);
}

function byCall(names: PythonNames, node: SyntaxNode): boolean {
  const callee = child(node, "function");
  if (callee === null) return false;
  const { positional: [holder, attribute, value], keywords } = argumentsOf(names.tree, node);
  if (keywords.has("tool_transformations") || keywords.has("transforms")) return true;
  const written = textOf(names.tree, callee);
  if (/\.(add_tool_transformation|add_transform)$/.test(written)) return true;
  return written === "setattr" && holder !== undefined && attribute !== undefined &&
    value !== undefined &&
    renames(names, holder, stringValue(names.tree.text, attribute) ?? "", value);
}

/** Whether `node`, a call or an assignment, gives a tool another name than its definition's. */
export function renamesTools(names: PythonNames, node: SyntaxNode): boolean {
  if (node.type === "assignment") return byAssignment(names, node);
  return node.type === "call" && byCall(names, node);
}
