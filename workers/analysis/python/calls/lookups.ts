/**
 * Lookups of attributes and entries by a text: `getattr(os, x)`, `globals()[x]`,
 * `attrgetter(x)(os)`.
 *
 * @module
 */
import { child, type SyntaxNode } from "../../syntax/tree.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { plainValue, valuesOf } from "../values/assigned.ts";
import type { FindCallee } from "./callee_type.ts";
import { fold, foldTexts } from "../values/folding.ts";
import { argumentsOf, meaningOf, type PythonNames, resolve } from "../names.ts";
import { MAX_HOPS, type Question, remembered } from "../values/remembered.ts";
import { usual } from "./usual_name.ts";

const GETATTR =
  /^(getattr|inspect\.getattr_static|[\w.()]+\.__getattribute__|operator\.getitem|xmlrpc\.server\.resolve_dotted_attribute)$/;
/** Methods that give an entry of a table. */
export const LOOKUPS = /^(get|pop|setdefault|__getitem__)$/;
const NAMESPACES = /^(globals|locals|vars)$/;

/** What the attributes, or entries, of an object are looked up with. */
export interface Lookup {
  /** Module or class; empty for built-ins and the module's own names; `sys.modules`. */
  holder: string;
  /** The name, as source. */
  key: SyntaxNode;
  detour: "getattr" | "namespace";
}

function isOwnNamespace(names: PythonNames, node: SyntaxNode): boolean {
  const callee = node.type === "call" ? child(node, "function") : null;
  return callee !== null && NAMESPACES.test(textOf(names.tree, callee)) &&
    argumentsOf(names.tree, node).positional.length === 0;
}

/** Finds the module whose names an expression holds as a table. */
type FindNamespace = Question<string | null>;

/** Finds what expressions in a lookup stand for. */
export interface LookupFinders {
  calleeOf: FindCallee;
  namespaceOf: FindNamespace;
}

/** Finds modules whose names are held as tables: `os.__dict__`, `vars(os)`, `globals()`. */
export function namespaceFinder(calleeOf: FindCallee): FindNamespace {
  const namespaceOf: FindNamespace = remembered<string>((names, node, hops) =>
    findNamespace(names, node, hops, { calleeOf, namespaceOf })
  );
  return namespaceOf;
}

function findNamespace(
  names: PythonNames,
  node: SyntaxNode,
  hops: number,
  { calleeOf, namespaceOf }: LookupFinders,
): string | null {
  if (isOwnNamespace(names, node)) return "globals()";
  if (node.type === "call") {
    const callee = child(node, "function");
    const [first] = argumentsOf(names.tree, node).positional;
    if (callee !== null && first !== undefined && textOf(names.tree, callee) === "vars") {
      return calleeOf(names, first, hops + 1)?.name ?? null;
    }
  }
  if (node.type === "identifier" || node.type === "attribute") {
    for (const value of valuesOf(names, node).values.slice(0, 20)) {
      const held = namespaceOf(names, value, hops + 5);
      if (held !== null) return held;
    }
  }
  const name = calleeOf(names, node, hops + 1)?.name;
  if (name === "sys.modules" || name === "__builtins__") return name;
  if (name === "__dict__") return "builtins";
  return name?.endsWith(".__dict__") ? name.slice(0, -".__dict__".length) : null;
}

/** The call that made what is called: `attrgetter("x")(o)`, and `get(o)` after `get = attrgetter("x")`. */
export function makerOf(names: PythonNames, callee: SyntaxNode): SyntaxNode | null {
  if (callee.type === "call") return callee;
  if (callee.type !== "identifier" && callee.type !== "attribute") return null;
  return valuesOf(names, callee).values.find(({ type }) => type === "call") ?? null;
}

/** The lookup that an expression is, or null; what its parts stand for is asked of the finders. */
export function findLookup(
  names: PythonNames,
  node: SyntaxNode,
  hops: number,
  { calleeOf, namespaceOf }: LookupFinders,
): Lookup | null {
  if (hops > MAX_HOPS) return null;
  if (node.type === "subscript") {
    const value = child(node, "value");
    const key = child(node, "subscript");
    const holder = value === null ? null : namespaceOf(names, plainValue(value), hops);
    return holder === null || key === null ? null : { holder, key, detour: "namespace" };
  }
  const callee = node.type === "call" ? child(node, "function") : null;
  if (callee === null) return null;
  const { positional } = argumentsOf(names.tree, node);
  const [first, second] = positional;
  if (first === undefined) return null;
  const method = callee.type === "attribute" ? child(callee, "attribute") : null;
  const object = callee.type === "attribute" ? child(callee, "object") : null;
  if (method !== null && object !== null) {
    const called = textOf(names.tree, method);
    if (LOOKUPS.test(called)) {
      const holder = namespaceOf(names, plainValue(object), hops);
      if (holder !== null) return { holder, key: first, detour: "namespace" };
    } else if (/^__getattr(ibute)?__$/.test(called) && second === undefined) {
      const holder = calleeOf(names, object, hops + 1)?.name;
      if (holder !== undefined) return { holder, key: first, detour: "getattr" };
    }
  }
  const maker = makerOf(names, callee);
  const inner = maker === null ? null : child(maker, "function");
  if (inner !== null && resolve(names, inner) === "operator.attrgetter") {
    const [key] = argumentsOf(names.tree, maker!).positional;
    const holder = calleeOf(names, first, hops + 1)?.name;
    return key === undefined || holder === undefined ? null : { holder, key, detour: "getattr" };
  }
  if (inner !== null && resolve(names, inner) === "operator.itemgetter") {
    const [key] = argumentsOf(names.tree, maker!).positional;
    const holder = namespaceOf(names, plainValue(first), hops);
    return key === undefined || holder === null ? null : { holder, key, detour: "namespace" };
  }
  const name = calleeOf(names, callee, hops + 1)?.name;
  if (name === "functools.reduce" && resolve(names, first) === "getattr") {
    const holder = positional[2] === undefined
      ? undefined
      : calleeOf(names, positional[2], hops + 1)?.name;
    return second === undefined || holder === undefined
      ? null
      : { holder, key: second, detour: "getattr" };
  }
  if (name === undefined || second === undefined || !GETATTR.test(name)) return null;
  const holder = name === "operator.getitem"
    ? namespaceOf(names, plainValue(first), hops)
    : isOwnNamespace(names, first)
    ? "globals()"
    : calleeOf(names, first, hops + 1)?.name;
  return holder === undefined || holder === null
    ? null
    : { holder, key: second, detour: "getattr" };
}

/** What a lookup may be looking for; null when its name cannot be told. */
export function lookedUp(names: PythonNames, { holder, key }: Lookup): string[] | null {
  const path = fold(names, key);
  const keys = Array.isArray(path) && path.every((part) => typeof part === "string")
    ? [path.join(".")]
    : foldTexts(names, key);
  if (keys === null) return null;
  const bare = /^(globals\(\)|sys\.modules|__builtins__|builtins)$/.test(holder);
  const meant = (key: string) => holder === "globals()" ? meaningOf(names, key) : key;
  return keys.map((each) => usual(bare ? meant(each) : `${holder}.${each}`));
}
