/**
 * Calls of methods by which classes of tools are run, of objects that the source does not say: any of
 * these classes may be meant.
 *
 * @module
 */
import { handlesCalls } from "../../python/calls/handlers.ts";
import { stringValue } from "../../python/values/literals.ts";
import { argumentsOf, type PythonNames } from "../../python/names.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { ancestor, child, type SyntaxNode } from "../../syntax/tree.ts";
import { toolParameter } from "../flow/labels.ts";
import type { ObservedCall } from "../flow/observed.ts";
import type { ToolDeclaration } from "../../tools/declaration.ts";
import { purposesOf } from "./purpose.ts";

const PUBLIC = /^(__call__|a?(run|execute|call|invoke|forward)|(run|execute|call|invoke)_async)$/;

function isRunMethod({ tree }: PythonNames, node: SyntaxNode): boolean {
  const method = node.type === "attribute" ? child(node, "attribute") : null;
  return method !== null && PUBLIC.test(textOf(tree, method));
}

/** Whether a call may run an object of such a class with what a caller gives. */
export function mayRunClass(call: ObservedCall): boolean {
  const { names, node, given: { positional, keywords } } = call;
  const callee = child(node, "function");
  if (callee === null) return false;
  // `TOOLS[0](…)` calls the object itself.
  if (callee.type !== "subscript" && !isRunMethod(names, callee)) return false;
  const [first] = (call.callee?.name ?? "").split(".");
  const isLibrary = first !== undefined &&
    names.imports.some(({ module, level }) => level === 0 && module.split(".")[0] === first);
  return !(isLibrary && call.target() === null && callee.type === "attribute") &&
    [...positional, ...keywords.values()].some((each) => toolParameter(call.labels(each)) !== null);
}

/**
 * Whether what clients call says that it is for something else than code, or nothing; not what is called
 * for all tools, or has its text put together from theirs.
 */
export function mayLie(
  names: PythonNames,
  definition: SyntaxNode,
  tools: readonly ToolDeclaration[],
): boolean {
  if (tools.some((tool) => purposesOf(tool).has("code"))) return false;
  if (tools.length === 0) return !handlesCalls(names, definition);
  const own = child(definition, "name");
  const around = ancestor(definition, "function_definition");
  if (own === null || around === null) return true;
  const made = new RegExp(`\\b${textOf(names.tree, own)}\\.__doc__ *=(?!=) *(?=[\\w.]+\\()`);
  return !made.test(textOf(names.tree, around));
}

/** Whether a call hands such a method on with a description that it says itself. */
export function describesAnother(names: PythonNames, call: SyntaxNode): boolean {
  const own = argumentsOf(names.tree, call);
  if (![...own.positional, ...own.keywords.values()].some((each) => isRunMethod(names, each))) {
    return false;
  }
  // `tool(description="…")(each.run)`.
  const made = child(call, "function");
  const before = made?.type === "call" ? argumentsOf(names.tree, made) : null;
  return [own, before].some((given) => {
    const said = [...given?.positional ?? [], ...given?.keywords.values() ?? []]
      .map((each) => stringValue(names.tree.text, each));
    return said.some((text) => text !== null && /\s/.test(text));
  });
}
