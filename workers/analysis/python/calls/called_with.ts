/**
 * Calls with all that they pass on: what `functools.partial` bound, and what
 * `operator.methodcaller` and `operator.call` call in the end.
 *
 * @module
 */
import { child, type SyntaxNode } from "../../syntax/tree.ts";
import { type Callee, calleeOf } from "./callee.ts";
import { makerOf } from "./lookups.ts";
import { foldTexts } from "../values/folding.ts";
import { argumentsOf, type CallArguments, type PythonNames, resolve } from "../names.ts";
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

/** `os.environ[name] = value`, `os.environ |= table` as the calls that they are. */
export function settingOf(
  names: PythonNames,
  node: SyntaxNode,
): { callee: Callee; given: CallArguments } | null {
  const left = child(node, "left");
  const right = child(node, "right");
  if (left === null || right === null) return null;
  const key = left.type === "subscript" ? child(left, "subscript") : null;
  const table = key === null ? left : child(left, "value");
  if (table === null || (key === null && node.type !== "augmented_assignment")) return null;
  if (!/^(os\.environb?|plumbum\.local\.env)$/.test(calleeOf(names, table)?.name ?? "")) {
    return null;
  }
  return key === null
    ? {
      callee: { name: "os.environ.__ior__", detour: null },
      given: { positional: [right], keywords: new Map() },
    }
    : {
      callee: { name: "os.environ.__setitem__", detour: null },
      given: { positional: [key, right], keywords: new Map() },
    };
}
