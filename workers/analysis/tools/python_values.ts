/**
 * Strings and functions that a Python expression may stand for, over literals, constants and loops
 * over literal lists. What cannot be told is null: then tools are registered dynamically.
 *
 * @module
 */
import { functionFinder } from "../audit/flow/functions.ts";
import type { FindFunction } from "../audit/flow/observed.ts";
import { foldText } from "../python/folding.ts";
import { stringValue } from "../python/literals.ts";
import { argumentsOf, dottedText, type PythonNames, resolve } from "../python/names.ts";
import { textOf } from "../syntax/source_tree.ts";
import { child, named, type SyntaxNode } from "../syntax/tree.ts";
import type { PlacedFunction } from "./declaration.ts";
import { hidesName } from "./python_renames.ts";

/** What other modules hold, for names that are imported. */
export interface Constants {
  /** Strings of all modules by their last names, and by `Class.NAME`. */
  strings: ReadonlyMap<string, string>;
  /** Values of module-level names of all modules, with the names of their module. */
  values: ReadonlyMap<string, PythonNames>;
  /** Finds functions of the project by the names that a module calls them. */
  find: FindFunction;
}

/** An expression and the module whose names it is written in. */
export interface Expression {
  names: PythonNames;
  node: SyntaxNode;
}

/** Reads what the modules of a project (path to names) hold. */
export function readConstants(modules: ReadonlyMap<string, PythonNames>): Constants {
  const strings = new Map<string, string>();
  const values = new Map<string, PythonNames>();
  for (const names of modules.values()) {
    for (const [name, value] of names.constants) strings.set(name, value);
    for (const name of names.values.keys()) values.set(name, names);
  }
  return { strings, values, find: functionFinder(modules).find };
}

const MAX_ELEMENTS = 1000;
/** Expressions that put a text together, of constants perhaps. */
const PUT_TOGETHER = /^(?:string|concatenated_string|binary_operator|parenthesized_expression)$/;

/** A variable of an enclosing loop: the elements that it takes, one expression each. */
function loopValues(
  constants: Constants,
  names: PythonNames,
  node: SyntaxNode,
): Expression[] | null {
  const wanted = textOf(names.tree, node);
  for (let up = node.parent; up !== null; up = up.parent) {
    const clauses = /^(for_statement|for_in_clause)$/.test(up.type)
      ? [up]
      : up.children.filter(({ type }) => type === "for_in_clause");
    for (const clause of clauses) {
      const left = child(clause, "left");
      if (left === null) continue;
      const targets = left.type === "identifier" ? [left] : named(left);
      const index = targets.findIndex((each) => textOf(names.tree, each) === wanted);
      if (index < 0) continue;
      const over = child(clause, "right");
      return over === null
        ? null
        : elements(constants, { names, node: over }, left.type === "identifier" ? null : index);
    }
  }
  return null;
}

/** The expression behind a module-level name that is assigned once, or that is imported. */
function behind(constants: Constants, { names, node }: Expression): Expression {
  if (node.type !== "identifier" && node.type !== "attribute") return { names, node };
  const own = node.type === "identifier" ? names.values.get(textOf(names.tree, node)) : undefined;
  if (own !== undefined) return { names, node: own };
  const written = dottedText(names.tree, node);
  const meant = resolve(names, node);
  if (meant === null || (meant === written && node.type !== "attribute")) return { names, node };
  const name = meant.split(".").at(-1)!;
  const module = constants.values.get(name);
  return module === undefined ? { names, node } : { names: module, node: module.values.get(name)! };
}

function elements(
  constants: Constants,
  over: Expression,
  index: number | null,
): Expression[] | null {
  let source = behind(constants, over);
  let pairs = false;
  if (source.node.type === "call") {
    const callee = child(source.node, "function");
    const method = callee?.type === "attribute" ? child(callee, "attribute") : null;
    const object = callee?.type === "attribute" ? child(callee, "object") : null;
    const name = method === null ? "" : textOf(source.names.tree, method);
    if (object === null || !["items", "keys", "values"].includes(name)) return null;
    source = behind(constants, { names: source.names, node: object });
    if (source.node.type !== "dictionary") return null;
    pairs = name === "items";
    if (name === "values") index = 1;
    if (name === "keys") index = 0;
  }
  const { names } = source;
  const all = named(source.node).slice(0, MAX_ELEMENTS);
  if (source.node.type === "dictionary") {
    if (pairs && index === null) return null;
    const field = index === 1 ? "value" : "key";
    const found = all.map((pair) => child(pair, field));
    return found.includes(null) ? null : found.map((node) => ({ names, node: node! }));
  }
  if (!/^(list|tuple|set)$/.test(source.node.type)) return null;
  if (all.some(({ type }) => type === "list_splat")) return null;
  if (index === null) return all.map((node) => ({ names, node }));
  const parts = all.map((node) => {
    const row = behind(constants, { names, node });
    const part = named(row.node)[index];
    return part === undefined ? null : { names: row.names, node: part };
  });
  return parts.includes(null) ? null : parts as Expression[];
}

/** What `row["key"]`, `row.get("key")` or `row.key` of a loop over literal rows may be. */
function fieldValues(
  constants: Constants,
  names: PythonNames,
  node: SyntaxNode,
): Expression[] | null {
  const call = node.type === "call" ? child(node, "function") : null;
  const holder = call ?? node;
  const object = child(holder, "object") ?? child(holder, "value");
  if (object?.type !== "identifier") return null;
  const method = call === null ? null : child(call, "attribute");
  const key = node.type === "subscript"
    ? child(node, "subscript")
    : method !== null && textOf(names.tree, method) === "get"
    ? argumentsOf(names.tree, node).positional[0]
    : undefined;
  const wanted = key === undefined || key === null ? null : stringValue(names.tree.text, key);
  const rows = wanted === null ? null : loopValues(constants, names, object);
  if (rows === null) return null;
  const fields = rows.map((each) => {
    const row = behind(constants, each);
    for (const pair of row.node.type === "dictionary" ? named(row.node) : []) {
      const name = child(pair, "key");
      const value = child(pair, "value");
      if (
        name !== null && value !== null && stringValue(row.names.tree.text, name) === wanted
      ) return { names: row.names, node: value };
    }
    return null;
  });
  return fields.includes(null) ? null : fields as Expression[];
}

/** One result of several expressions, or null when one of them cannot be told. */
function allOf<T>(
  expressions: readonly Expression[] | null,
  read: (each: Expression) => T[] | null,
): T[] | null {
  const all = expressions?.map(read) ?? [null];
  return all.includes(null) ? null : all.flatMap((each) => each ?? []);
}

/** The strings that an expression may be, or null. */
export function stringsOf(
  names: PythonNames,
  constants: Constants,
  node: SyntaxNode,
  depth = 0,
): string[] | null {
  const literal = stringValue(names.tree.text, node);
  if (literal !== null) return [literal];
  if (depth > 4) return null;
  const read = (each: Expression) => stringsOf(each.names, constants, each.node, depth + 1);
  if (node.type === "subscript" || node.type === "call") {
    const values = fieldValues(constants, names, node);
    return values === null ? null : allOf(values, read);
  }
  if (PUT_TOGETHER.test(node.type)) {
    const text = foldText(names, node);
    return text === null ? null : [text];
  }
  const dotted = dottedText(names.tree, node)?.replace(/\.value$/, "");
  if (dotted === undefined) return null;
  const own = names.constants.get(dotted);
  if (own !== undefined) return [own];
  if (node.type === "identifier") {
    const values = loopValues(constants, names, node);
    if (values !== null) return allOf(values, read);
  }
  const meant = resolve(names, node)?.replace(/\.value$/, "").split(".") ?? [];
  const { strings } = constants;
  const found = strings.get(meant.slice(-2).join(".")) ?? strings.get(meant.at(-1) ?? "");
  return found === undefined ? null : [found];
}

/** A function that is registered: its name, and its definition when it is in the project. */
export interface Registered {
  name: string;
  definition: PlacedFunction | null;
}

/** The function of the project that a dotted name means, or null. */
export function placed(
  constants: Constants,
  names: PythonNames,
  meant: string,
): PlacedFunction | null {
  const found = constants.find(names, meant);
  return found === null ? null : { tree: found.names.tree, node: found.definition };
}

function mentions(names: PythonNames, node: SyntaxNode, name: string): boolean {
  return textOf(names.tree, node).split(/\W+/).includes(name);
}

/** The functions that an expression may be, or null. */
export function functionsOf(
  names: PythonNames,
  constants: Constants,
  node: SyntaxNode,
  depth = 0,
): Registered[] | null {
  if (depth > 4) return null;
  const read = (each: Expression) => functionsOf(each.names, constants, each.node, depth + 1);
  if (node.type === "identifier") {
    const name = textOf(names.tree, node);
    const definition = names.functions.get(name);
    const value = names.values.get(name);
    // `a = b` after `def a`; `a = tool()(a)` and `a = logged(a)` are about the function itself.
    const again = definition !== undefined && value !== undefined &&
      value.start > definition.start && !mentions(names, value, name);
    if (again) return functionsOf(names, constants, value, depth + 1);
    if (definition !== undefined) {
      return [{ name, definition: { tree: names.tree, node: definition } }];
    }
    const values = loopValues(constants, names, node);
    if (values !== null) return allOf(values, read);
    const meant = names.bindings.get(name);
    return meant === undefined ? null : [{
      name: meant.split(".").at(-1)!,
      definition: placed(constants, names, meant),
    }];
  }
  if (node.type === "attribute") {
    const name = child(node, "attribute");
    if (name === null) return null;
    const meant = resolve(names, node);
    const text = textOf(names.tree, name);
    return [{ name: text, definition: placed(constants, names, meant ?? `self.${text}`) }];
  }
  if (node.type === "subscript") return allOf(fieldValues(constants, names, node), read);
  if (node.type === "call") {
    // A wrapper such as `tool(log_calls(fn))` usually keeps the name by functools.wraps.
    const { positional } = argumentsOf(names.tree, node);
    return positional.length === 1 && !hidesName(constants, names, node)
      ? functionsOf(names, constants, positional[0]!, depth + 1)
      : null;
  }
  return null;
}
