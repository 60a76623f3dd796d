/**
 * Dangerous functions, and modules that have some, that functions of a module give their callers:
 * `(lambda o: o.system)(os)`, `def m(): import os; return os`.
 *
 * @module
 */
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { plainValue, valuesOf } from "../values/assigned.ts";
import type { Callee } from "./callee.ts";
import { foldTexts } from "../values/folding.ts";
import { argumentsOf, type CallArguments, type PythonNames } from "../names.ts";
import { isDangerous } from "./sinks.ts";
import { usual } from "./usual_name.ts";

const MODULES = /^(os|posix|nt|subprocess|builtins|importlib|pty)$/;
const RETURNS = nodeTypes("return_statement");
const MAX_RESULTS = 5;

/** The function of the module, or the lambda, that is called. */
function ownFunction(names: PythonNames, called: SyntaxNode): SyntaxNode | undefined {
  const plain = plainValue(called);
  if (plain.type === "lambda") return plain;
  if (plain.type !== "identifier") return undefined;
  return names.functions.get(textOf(names.tree, plain)) ??
    valuesOf(names, plain).values.find(({ type }) => type === "lambda");
}

/** What a call of `called` may give; `nameOf` tells what an expression stands for. */
export function ownResults(
  names: PythonNames,
  called: SyntaxNode,
  { positional }: CallArguments,
  nameOf: (node: SyntaxNode) => string | undefined,
): Callee[] {
  const own = ownFunction(names, called);
  const body = own === undefined ? null : child(own, "body");
  if (own === undefined || body === null) return [];
  const list = child(own, "parameters");
  const parameters = (list === null ? [] : named(list)).map((each) => textOf(names.tree, each));
  const given = (node: SyntaxNode | null | undefined) =>
    node === null || node === undefined
      ? undefined
      : positional[parameters.indexOf(textOf(names.tree, node))];

  function ofResult(result: SyntaxNode): string | undefined {
    const isLookup = result.type === "call" &&
      textOf(names.tree, child(result, "function")!) === "getattr";
    const [first, second] = isLookup ? argumentsOf(names.tree, result).positional : [];
    const holder = given(result.type === "attribute" ? child(result, "object") : first);
    if (holder === undefined) return nameOf(result);
    const of = nameOf(holder);
    const key = result.type === "attribute"
      ? textOf(names.tree, child(result, "attribute")!)
      : second === undefined
      ? undefined
      : foldTexts(names, given(second) ?? second)?.[0];
    return of === undefined || key === undefined || !MODULES.test(of)
      ? undefined
      : usual(`${of}.${key}`);
  }

  const results = own.type === "lambda"
    ? [body]
    : [...walk(body, RETURNS)].flatMap((each) => named(each)).slice(0, MAX_RESULTS);
  return results.map(ofResult).filter((name) => name !== undefined)
    .filter((name) => isDangerous(name) || MODULES.test(name))
    .map((name) => ({ name, detour: "alias" }));
}
