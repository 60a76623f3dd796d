/**
 * What a call calls, through the detours that hide it: aliases, `getattr`, `__import__`,
 * `globals()["eval"]`, `functools.partial`, star imports, tables of functions, names that are put
 * together.
 *
 * @module
 */
import { child, named, type SyntaxNode } from "../syntax/tree.ts";
import { textOf } from "../syntax/source_tree.ts";
import { isParameter, plainValue, valuesOf } from "./assigned.ts";
import { fold, foldTexts } from "./folding.ts";
import { argumentsOf, type CallArguments, type PythonNames, resolve } from "./names.ts";
import { MAX_HOPS, remembered } from "./remembered.ts";
import { ownResults } from "./own_results.ts";
import { isDangerous } from "./sinks.ts";
import { tableEntries } from "./tables.ts";
import { STARRED, usual } from "./usual_name.ts";

/** A called function. */
export interface Callee {
  /** Dotted name, built-ins bare: `os.system`, `eval`, or a name of the module itself. */
  name: string;
  /** How it was hidden; null for an ordinary call. */
  detour: "alias" | "getattr" | "import" | "namespace" | "partial" | "star" | "table" | null;
  /** Arguments that `functools.partial` put before those of the call. */
  bound?: CallArguments;
}

const GETATTR =
  /^(getattr|inspect\.getattr_static|[\w.()]+\.__getattribute__|operator\.getitem|xmlrpc\.server\.resolve_dotted_attribute)$/;
const BY_PATH =
  /^(pydoc\.locate|pkgutil\.resolve_name|(\w+\.)*import_(string|from_string)|(unittest\.mock|logging\.config)\._(importer|resolve)|logging\.config\.\w+\(\)\.resolve|(\w+\.)*(symbol_by_name|namedAny|import_item))$/;
const IMPORTS =
  /^(__import__|importlib\.(import_module|__import__))$|(^|\.)(\w*loader(__)?|BuiltinImporter|FrozenImporter)\.load_module$/;
const LOOKUPS = /^(get|pop|setdefault|__getitem__)$/;
const NAMESPACES = /^(globals|locals|vars)$/;

/** The callee that matters most where there are several. */
function worst(callees: readonly (Callee | null)[]): Callee | null {
  const known = callees.filter((each) => each !== null);
  return known.find(({ name }) => isDangerous(name)) ?? known[0] ?? null;
}

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

/** The module whose names an expression holds as a table: `os.__dict__`, `vars(os)`, `globals()`. */
const namespaceOf = remembered<string>(findNamespace);

function findNamespace(names: PythonNames, node: SyntaxNode, hops: number): string | null {
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

/** The lookup of an attribute or entry that an expression is, or null for any other. */
export function lookupOf(names: PythonNames, node: SyntaxNode, hops = 0): Lookup | null {
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
    } else if (called === "__getattribute__" && second === undefined) {
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
  return keys.map((each) => usual(bare ? each : `${holder}.${each}`));
}

function importedBy(names: PythonNames, node: SyntaxNode): Callee | null {
  const { positional, keywords } = argumentsOf(names.tree, node);
  const name = positional[0] ?? keywords.get("name");
  const modules = name === undefined ? null : foldTexts(names, name);
  return worst((modules ?? []).map((each) => ({ name: usual(each), detour: "import" })));
}

/** What a table gives, where it may be something dangerous. */
function fromTable(names: PythonNames, table: SyntaxNode, hops: number): Callee | null {
  const found = tableEntries(names, table).slice(0, 200)
    .map((each) => calleeOf(names, each, hops + 5));
  const callee = worst(found);
  return callee !== null && isDangerous(callee.name) ? { ...callee, detour: "table" } : null;
}

function ofCall(names: PythonNames, node: SyntaxNode, hops: number): Callee | null {
  const inner = child(node, "function");
  const lookup = lookupOf(names, node, hops);
  if (lookup !== null) {
    const found = lookedUp(names, lookup)?.map((name) => ({ name, detour: lookup.detour }));
    if (found !== undefined) return worst(found);
  }
  const called = inner === null ? null : calleeOf(names, inner, hops + 1);
  if (called === null || inner === null) return null;
  if (IMPORTS.test(called.name)) {
    return importedBy(names, node);
  }
  const given = argumentsOf(names.tree, node);
  const [first] = given.positional;
  if (first !== undefined && BY_PATH.test(called.name)) {
    const found = foldTexts(names, first)?.map((path) => usual(path.replace(":", ".")));
    return worst((found ?? []).map((name) => ({ name, detour: "getattr" })));
  }
  const object = inner.type === "attribute" ? child(inner, "object") : null;
  if (object !== null && LOOKUPS.test(called.name.split(".").at(-1)!)) {
    return fromTable(names, object, hops);
  }
  if (called.name !== "functools.partial") {
    return worst(ownResults(names, inner, given, (each) => calleeOf(names, each, hops + 5)?.name));
  }
  if (first === undefined) return null;
  const target = calleeOf(names, first, hops + 1);
  if (target === null) return null;
  const bound = { positional: given.positional.slice(1), keywords: given.keywords };
  return { ...target, detour: target.detour ?? "partial", bound };
}

function ofSubscript(names: PythonNames, node: SyntaxNode, hops: number): Callee | null {
  const lookup = lookupOf(names, node, hops);
  if (lookup !== null) {
    const found = lookedUp(names, lookup)?.map((name) => ({ name, detour: lookup.detour }));
    return worst(found ?? []);
  }
  const value = child(node, "value");
  return value === null ? null : fromTable(names, value, hops);
}

/** A dangerous function that a name, or an attribute of this module's objects, may stand for. */
function ofValues(names: PythonNames, node: SyntaxNode, hops: number): Callee | null {
  const { values } = valuesOf(names, node);
  const found = values.slice(0, 20).map((value) => calleeOf(names, value, hops + 5));
  const callee = worst(found);
  if (callee === null || !isDangerous(callee.name)) return null;
  return { ...callee, detour: callee.detour ?? "alias" };
}

const answer = remembered<Callee>(findCallee);

/** The function behind an expression that is called, or null when it cannot be told. */
export function calleeOf(names: PythonNames, given: SyntaxNode, hops = 0): Callee | null {
  return answer(names, given, hops);
}

function findCallee(names: PythonNames, given: SyntaxNode, hops: number): Callee | null {
  const node = given.type === "parenthesized_expression" || given.type === "named_expression"
    ? plainValue(given)
    : given;
  if (node.type === "call") return ofCall(names, node, hops);
  if (node.type === "subscript") return ofSubscript(names, node, hops);
  if (node.type === "conditional_expression" || node.type === "boolean_operator") {
    return worst(named(node).map((each) => calleeOf(names, each, hops + 5)));
  }
  const meant = resolve(names, node);
  if (meant === null) {
    const object = node.type === "attribute" ? child(node, "object") : null;
    const attribute = node.type === "attribute" ? child(node, "attribute") : null;
    if (object === null || attribute === null) return null;
    const method = textOf(names.tree, attribute);
    const holder = calleeOf(names, object, hops + 1);
    if (holder !== null) {
      return { name: usual(`${holder.name}.${method}`), detour: holder.detour };
    }
    // `Client().get`, `connect().execute`: a method of what a call gives.
    const maker = object.type === "call" ? child(object, "function") : null;
    const made = maker === null ? null : calleeOf(names, maker, hops + 1);
    return made === null ? null : { name: `${made.name}().${method}`, detour: null };
  }
  const name = usual(meant);
  if (node.type === "identifier") return ofIdentifier(names, node, name, hops);
  if (isDangerous(name)) return { name, detour: null };
  return ofValues(names, node, hops) ?? ofObject(names, node, hops) ?? { name, detour: null };
}

/** An attribute of a name that stands for a module or a class: `o = sys.modules["os"]`, `o.system`. */
function ofObject(names: PythonNames, node: SyntaxNode, hops: number): Callee | null {
  const object = child(node, "object");
  const attribute = child(node, "attribute");
  if (object?.type !== "identifier" || attribute === null) return null;
  const method = textOf(names.tree, attribute);
  for (const value of valuesOf(names, object).values.slice(0, 20)) {
    if (!/^(call|subscript)$/.test(value.type)) continue;
    const holder = calleeOf(names, value, hops + 5);
    const name = holder === null ? null : usual(`${holder.name}.${method}`);
    if (name !== null && isDangerous(name)) return { name, detour: holder!.detour ?? "alias" };
  }
  return null;
}

function ofIdentifier(names: PythonNames, node: SyntaxNode, meant: string, hops: number): Callee {
  const written = textOf(names.tree, node);
  const made = names.calls.get(written);
  const call = made === undefined ? null : calleeOf(names, made, hops + 1);
  if (call !== null) return call;
  if (meant === written && !names.functions.has(written) && !BUILTINS.has(written)) {
    const star = names.imports.find(({ name, module }) => name === "*" && STARRED.includes(module));
    const starred = star === undefined ? null : usual(`${star.module}.${written}`);
    if (starred !== null && !isParameter(names, node, written)) {
      return { name: starred, detour: "star" };
    }
  }
  if (!isDangerous(meant) && !names.functions.has(written)) {
    const value = ofValues(names, node, hops);
    if (value !== null) return value;
  }
  const imported = names.imports.some((each) => each.name !== null && meant.endsWith(each.name));
  const detour = meant !== written && !imported && names.bindings.has(written) ? "alias" : null;
  return { name: meant, detour };
}

const BUILTINS = new Set("eval exec compile open getattr print len str int".split(" "));
