/**
 * `getattr(import_module(a), b)`, both of which the source does not say: any function of any module. It
 * is fatal where the names are decoded, or fetched, and where a caller's text is given to what they name.
 *
 * @module
 */
import type { RawFinding } from "../../../finding.ts";
import { calleeOf } from "../../../python/calls/callee.ts";
import { argumentsOf, type PythonNames } from "../../../python/names.ts";
import { plainValue, valuesOf } from "../../../python/values/assigned.ts";
import { foldTexts } from "../../../python/values/folding.ts";
import { child, named, type SyntaxNode } from "../../../syntax/tree.ts";
import { report } from "../../rule.ts";
import { partOf } from "../files/file_keys.ts";
import { ENCODED_CODE, INJECTION, REMOTE_CODE } from "../flow_rules.ts";
import { toolParameter } from "../labels.ts";
import type { ObservedCall } from "../observed.ts";
import { isRestored } from "./restored.ts";

const IMPORTS = /^(__import__|importlib\.(import_module|__import__))$/;
const MAX_HOPS = 6;

/** The values of an expression: of a name, what it is given. */
function meant(names: PythonNames, node: SyntaxNode): SyntaxNode[] {
  const plain = plainValue(node);
  return /^(identifier|attribute)$/.test(plain.type) ? valuesOf(names, plain).values : [plain];
}

function isCallOf(names: PythonNames, node: SyntaxNode, name: RegExp): boolean {
  const callee = node.type === "call" ? child(node, "function") : null;
  return callee !== null && name.test(calleeOf(names, callee)?.name ?? "");
}

/** The expressions for module and function, when an expression looks up the one in the other. */
function lookedUp(names: PythonNames, node: SyntaxNode): [SyntaxNode, SyntaxNode] | null {
  if (!isCallOf(names, node, /^getattr$/)) return null;
  const [holder, key] = argumentsOf(names.tree, node).positional;
  if (holder === undefined || key === undefined) return null;
  const made = meant(names, holder).find((each) => isCallOf(names, each, IMPORTS));
  const module = made === undefined ? undefined : argumentsOf(names.tree, made).positional[0];
  return module === undefined ? null : [module, key];
}

/** Whether a name is one of those that the source lists: `TABLE[x]`, `TABLE[x].split(":")`. */
function isListed(names: PythonNames, node: SyntaxNode, hops = 0): boolean {
  const plain = plainValue(node);
  if (hops > MAX_HOPS) return false;
  const of = (each: SyntaxNode | null) => each !== null && isListed(names, each, hops + 1);
  if (foldTexts(names, plain) !== null) return true;
  switch (plain.type) {
    case "identifier":
    case "attribute": {
      const { values } = valuesOf(names, plain);
      const whole = values.length > 0 || plain.type === "attribute" ? null : partOf(names, plain);
      return whole === null ? values.length > 0 && values.every(of) : of(whole);
    }
    case "dictionary":
      return named(plain).every((pair) => of(child(pair, "value")));
    case "list":
    case "tuple":
    case "set":
      return named(plain).every(of);
    case "subscript":
      return of(child(plain, "value"));
    case "string":
      return named(plain).filter(({ type }) => type === "interpolation")
        .every((each) => of(named(each)[0] ?? null));
    case "call": {
      const callee = child(plain, "function");
      return callee?.type === "attribute" && of(child(callee, "object"));
    }
    default:
      return false;
  }
}

/** The finding of such a lookup, or of a call of what it gives. */
export function computedFunction(call: ObservedCall): RawFinding | null {
  const { names, node, given, labels } = call;
  const own = lookedUp(names, node);
  if (own !== null) {
    const carried = own.map((each) => labels(each));
    if (carried.some((each) => each.has("network"))) {
      return report(REMOTE_CODE, names.tree, node, "Response data chooses the function to call");
    }
    return carried.some((each) => each.has("encoded")) && !isRestored(names, node)
      ? report(ENCODED_CODE, names.tree, node, "Decoded text chooses the function to call")
      : null;
  }
  const expression = child(node, "function");
  const parts = expression === null
    ? undefined
    : meant(names, expression).map((each) => lookedUp(names, each)).find((each) => each !== null);
  if (parts === undefined || parts.some((each) => isListed(names, each))) return null;
  const parameter = [...given.positional, ...given.keywords.values()]
    .map((each) => toolParameter(labels(each))).find((each) => each !== null);
  if (parameter === undefined || parameter === null) return null;
  const title = `Parameter "${parameter}" is given to a function that the source does not name`;
  return report(INJECTION.code, names.tree, node, title);
}
