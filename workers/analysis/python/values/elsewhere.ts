/**
 * Constants that are not where they are used: names that another module of the project gives, and
 * functions that give the same whoever calls them. Of use once all modules are read.
 *
 * @module
 */
import { nodeTypes } from "../../syntax/node_types.ts";
import { child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { argumentsOf, firstPart, type PythonNames, resolve } from "../names.ts";
import { moduleValues, plainValue, valuesOf } from "./assigned.ts";
import { fold, type Outside } from "./folding.ts";
import type { Folded } from "./folding_calls.ts";

/** Finds modules by the names that others import them by. */
type FindModule = (names: PythonNames, dotted: string) => PythonNames | undefined;

const MAX_HOPS = 6;
const RETURNS = nodeTypes("return_statement");
const INNER = nodeTypes("function_definition", "class_definition", "lambda");
const linked = new WeakMap<PythonNames, FindModule>();
const together = new WeakMap<PythonNames, readonly PythonNames[]>();

/** Says where each of the project's modules finds the others. */
export function linkModules(modules: Iterable<PythonNames>, find: FindModule): void {
  const all = [...modules];
  for (const names of all) {
    linked.set(names, find);
    together.set(names, all);
  }
}

/** The modules of the project that a module belongs to. */
export function modulesBeside(names: PythonNames): readonly PythonNames[] {
  return together.get(names) ?? [names];
}

/** The module that a dotted name leads to, and the name there; null for a module of nobody's. */
export function placeOf(names: PythonNames, dotted: string): [PythonNames, string] | null {
  const dot = dotted.lastIndexOf(".");
  if (dot <= 0 || !names.bindings.has(firstPart(dotted)) && dotted.startsWith("self.")) return null;
  const module = linked.get(names)?.(names, dotted.slice(0, dot));
  return module === undefined || module === names ? null : [module, dotted.slice(dot + 1)];
}

/** The only value that a function gives; null for one that looks at what it is given. */
function onlyResult(definition: SyntaxNode): SyntaxNode | null {
  const body = child(definition, "body");
  if (definition.type === "lambda") return body;
  if (body === null) return null;
  const [first, ...more] = walk(body, RETURNS, INNER);
  return first === undefined || more.length > 0 ? null : named(first)[0] ?? null;
}

/** The function that is called without saying anything to it. */
function calledFunction(
  names: PythonNames,
  call: SyntaxNode,
): { module: PythonNames; definition: SyntaxNode } | null {
  const callee = child(call, "function");
  const { positional, keywords } = argumentsOf(names.tree, call);
  if (callee === null || positional.length > 0 || keywords.size > 0) return null;
  const meant = resolve(names, callee);
  if (meant === null) return null;
  const lambda = valuesOf(names, callee).values.find(({ type }) => type === "lambda");
  const own = names.functions.get(meant) ?? lambda;
  if (own !== undefined) return { module: names, definition: own };
  const [module, name] = placeOf(names, meant) ?? [];
  const definition = module?.functions.get(name!);
  return definition === undefined ? null : { module: module!, definition };
}

/** What is known of names and calls of a module beyond the module's own constants. */
export function elsewhere(names: PythonNames, hops = 0): Outside {
  return (node) => {
    if (hops >= MAX_HOPS) return undefined;
    const of = (module: PythonNames, value: SyntaxNode): Folded | undefined =>
      fold(module, plainValue(value), elsewhere(module, hops + 1));
    if (node.type === "call") {
      const called = calledFunction(names, node);
      const result = called === null ? null : onlyResult(called.definition);
      return result === null ? undefined : of(called!.module, result);
    }
    if (node.type !== "identifier" && node.type !== "attribute") return undefined;
    const [module, name] = placeOf(names, resolve(names, node) ?? "") ?? [];
    if (module === undefined) return undefined;
    const { values, open } = moduleValues(module, name!);
    return open || values.length !== 1 ? undefined : of(module, values[0]!);
  };
}
