/**
 * What a call calls, through the detours that hide it: aliases, `getattr`, `__import__`,
 * `globals()["eval"]`, `functools.partial`, star imports, tables of functions, names that are put
 * together.
 *
 * @module
 */
import { child, named, type SyntaxNode } from "../../syntax/tree.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { isParameter, plainValue, valuesOf } from "../values/assigned.ts";
import type { Callee } from "./callee_type.ts";
import { foldTexts } from "../values/folding.ts";
import { boundCommand, isCommand, withWords } from "./commands.ts";
import { findLookup, lookedUp, type Lookup, LOOKUPS, namespaceFinder } from "./lookups.ts";
import { commandOf, madeNames } from "./made.ts";
import { argumentsOf, type CallArguments, meaningOf, type PythonNames, resolve } from "../names.ts";
import { remembered } from "../values/remembered.ts";
import { ownResults } from "./own_results.ts";
import { isDangerous } from "./sinks.ts";
import { tableEntries } from "../values/tables.ts";
import { STARRED, usual } from "./usual_name.ts";

const BY_PATH =
  /^(pydoc\.locate|pkgutil\.resolve_name|(\w+\.)*import_(string|from_string)|(unittest\.mock|logging\.config)\._(importer|resolve)|logging\.config\.\w+\(\)\.resolve|(\w+\.)*(symbol_by_name|namedAny|import_item))$/;
const IMPORTS =
  /^(__import__|importlib\.(import_module|__import__))$|(^|\.)(\w*loader(__)?|BuiltinImporter|FrozenImporter)\.load_module$/;

/** The callee that matters most where there are several. */
function worst(callees: readonly (Callee | null)[]): Callee | null {
  const known = callees.filter((each) => each !== null);
  return known.find(({ name }) => isDangerous(name)) ?? known[0] ?? null;
}

function importedBy(names: PythonNames, { bound }: Callee, given: CallArguments): Callee | null {
  const name = bound?.positional[0] ?? given.positional[0] ?? given.keywords.get("name");
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
  const given = argumentsOf(names.tree, node);
  if (IMPORTS.test(called.name)) return importedBy(names, called, given);
  const [first] = given.positional;
  if (first !== undefined && BY_PATH.test(called.name)) {
    const found = foldTexts(names, first)?.map((path) => usual(path.replace(":", ".")));
    return worst((found ?? []).map((name) => ({ name, detour: "getattr" })));
  }
  const object = inner.type === "attribute" ? child(inner, "object") : null;
  if (object !== null && LOOKUPS.test(called.name.split(".").at(-1)!)) {
    return fromTable(names, object, hops);
  }
  const command = boundCommand(called, given);
  if (command !== null) return command;
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
  const command = value === null ? null : commandOf(names, value, hops, calleeOf);
  if (command !== null) return withWords(command, node);
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

const namespaceOf = namespaceFinder(calleeOf);

/** The lookup of an attribute or entry that an expression is, or null for any other. */
export function lookupOf(names: PythonNames, node: SyntaxNode, hops = 0): Lookup | null {
  return findLookup(names, node, hops, { calleeOf, namespaceOf });
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
      const held = { name: usual(`${holder.name}.${method}`), detour: holder.detour };
      return isCommand(holder.name) ? { ...holder, ...held } : held;
    }
    // `Client().get`, `connect().execute`: a method of what a call gives.
    const maker = object.type === "call" ? child(object, "function") : null;
    const made = maker === null ? null : calleeOf(names, maker, hops + 1);
    return made === null
      ? null
      : { name: meaningOf(names, `${made.name}().${method}`), detour: null };
  }
  const name = usual(meant);
  if (node.type === "identifier") return ofIdentifier(names, node, name, hops);
  if (isDangerous(name)) return { name, detour: null };
  return ofValues(names, node, hops) ?? ofObject(names, node, hops) ?? ofMade(names, node, hops) ??
    { name, detour: null };
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

/** A dangerous method of an object, by how the object is made. */
function ofMade(names: PythonNames, node: SyntaxNode, hops: number): Callee | null {
  const found = madeNames(names, node, hops, calleeOf)
    .map((each) => usual(meaningOf(names, each))).find(isDangerous);
  return found === undefined ? null : { name: found, detour: null };
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
