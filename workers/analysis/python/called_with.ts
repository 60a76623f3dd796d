/**
 * Calls with all that they pass on: what `functools.partial` bound, and what
 * `operator.methodcaller` and `operator.call` call in the end.
 *
 * @module
 */
import { child, type SyntaxNode } from "../syntax/tree.ts";
import { type Callee, calleeOf, makerOf } from "./callee.ts";
import { foldTexts } from "./folding.ts";
import { argumentsOf, type CallArguments, type PythonNames, resolve } from "./names.ts";
import { usual } from "./usual_name.ts";

/** The arguments of a call together with those that its callee brings along. */
export function withBound(callee: Callee | null, given: CallArguments): CallArguments {
  const bound = callee?.bound;
  if (bound === undefined) return given;
  return {
    positional: [...bound.positional, ...given.positional],
    keywords: new Map([...bound.keywords, ...given.keywords]),
  };
}

/** What `operator.methodcaller("system", x)(os)` and `operator.call(f, x)` call, with what. */
export function indirectCall(
  names: PythonNames,
  call: SyntaxNode,
): { callee: Callee; given: CallArguments } | null {
  const expression = child(call, "function");
  if (expression === null) return null;
  const { positional, keywords } = argumentsOf(names.tree, call);
  const [first] = positional;
  if (first === undefined) return null;
  const making = makerOf(names, expression);
  const maker = making === null ? null : child(making, "function");
  if (maker !== null && resolve(names, maker) === "operator.methodcaller") {
    const made = argumentsOf(names.tree, making!);
    const holder = calleeOf(names, first)?.name;
    const method = made.positional[0] === undefined ? null : foldTexts(names, made.positional[0]);
    if (holder === undefined || method === null || method.length === 0) return null;
    const given = { positional: made.positional.slice(1), keywords: made.keywords };
    return { callee: { name: usual(`${holder}.${method[0]}`), detour: "getattr" }, given };
  }
  if (resolve(names, expression) !== "operator.call") return null;
  const callee = calleeOf(names, first);
  return callee === null ? null : { callee, given: { positional: positional.slice(1), keywords } };
}
