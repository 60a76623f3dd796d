/**
 * Rows of literal lists and tables in Python: what a loop takes from them, what a field of one is.
 *
 * @module
 */
import { stringValue } from "../python/values/literals.ts";
import { argumentsOf, resolve } from "../python/names.ts";
import { textOf } from "../syntax/source_tree.ts";
import { child, named, type SyntaxNode } from "../syntax/tree.ts";
import { appendedTo, collectedBy } from "./python_collected.ts";
import type { Constants, Expression } from "./python_modules.ts";

const MAX_ELEMENTS = 1000;
const ENUMERATION = /(^|\.)(\w*Enum|\w*Flag)$/;

/** Finds what an expression may stand for, see `possible`. */
export type Expand = (expression: Expression) => Expression[] | null;

/** One result of several expressions, or null when one of them cannot be told. */
export function allOf<T>(
  expressions: readonly Expression[] | null,
  read: (each: Expression) => T[] | null,
): T[] | null {
  const all = expressions?.map(read) ?? [null];
  return all.includes(null) ? null : all.flatMap((each) => each ?? []);
}

/** The loop that gives an identifier its values, and which part of each element it is. */
export function loopOf(
  { names, node }: Expression,
): { clause: SyntaxNode; over: SyntaxNode; index: number | null } | null {
  const wanted = textOf(names.tree, node);
  for (let up = node.parent; up !== null; up = up.parent) {
    const clauses = /^(for_statement|for_in_clause)$/.test(up.type)
      ? [up]
      : up.children.filter(({ type }) => type === "for_in_clause");
    for (const clause of clauses) {
      const left = child(clause, "left");
      const over = child(clause, "right");
      if (left === null || over === null) continue;
      const single = left.type === "identifier";
      const index = (single ? [left] : named(left))
        .findIndex((each) => textOf(names.tree, each) === wanted);
      if (index >= 0) return { clause, over, index: single ? null : index };
    }
  }
  return null;
}

/** Key and value of each entry of a dictionary or `dict(…)`; null when some cannot be told. */
export function entriesOf(
  table: Expression,
  expand: Expand,
): { key: Expression; value: Expression }[] | null {
  const { names, node } = table;
  if (node.type === "call") {
    const callee = child(node, "function");
    if (callee === null || textOf(names.tree, callee) !== "dict") return null;
    const { positional, keywords } = argumentsOf(names.tree, node);
    if (positional.length > 0) return null;
    return [...keywords].map(([text, value]) => ({
      key: { names, node: value, text },
      value: { names, node: value },
    }));
  }
  if (node.type !== "dictionary") return null;
  const found: { key: Expression; value: Expression }[] = [];
  for (const each of named(node).slice(0, MAX_ELEMENTS)) {
    const key = child(each, "key");
    const value = child(each, "value");
    if (key !== null && value !== null) {
      found.push({ key: { names, node: key }, value: { names, node: value } });
    } else if (each.type === "dictionary_splat") {
      const inner = expand({ names, node: named(each)[0] ?? each });
      const entries = inner?.length === 1 ? entriesOf(inner[0]!, expand) : null;
      if (entries === null) return null;
      found.push(...entries);
    } else if (each.type !== "comment") return null;
  }
  return found;
}

/** The members of an enumeration. */
function members(constants: Constants, { names, node }: Expression): Expression[] | null {
  const meant = resolve(names, node);
  const cls = meant === null ? null : constants.classOf(names, meant);
  const bases = cls === null ? null : child(cls.node, "superclasses");
  const body = cls === null ? null : child(cls.node, "body");
  if (cls === null || bases === null || body === null) return null;
  const isEnumeration = named(bases).some((base) =>
    ENUMERATION.test(resolve(cls.names, base) ?? "")
  );
  if (!isEnumeration) return null;
  return named(body).flatMap((statement) => {
    const [assignment] = named(statement);
    const value = assignment?.type === "assignment" ? child(assignment, "right") : null;
    return value === null ? [] : [{ names: cls.names, node: value }];
  });
}

/** The name of the enumeration's member whose value an expression is. */
export function memberName({ names, node }: Expression): string | null {
  const assignment = node.parent;
  const left = assignment?.type === "assignment" ? child(assignment, "left") : null;
  const holder = assignment?.parent?.parent?.parent;
  return left?.type === "identifier" && holder?.type === "class_definition"
    ? textOf(names.tree, left)
    : null;
}

/** The elements that a loop over an expression takes, or one part of each. */
export function elements(
  constants: Constants,
  over: Expression,
  index: number | null,
  expand: Expand,
): Expression[] | null {
  const listed = members(constants, over);
  if (listed !== null) return index === null ? listed : null;
  const source = over.node.type === "call" ? over : single(expand(over));
  if (source === null) return index === null ? ofAttributeList(constants, over, expand) : null;
  const { names, node } = source;
  if (node.type === "call") {
    const collected = index === null ? collectedBy(constants, source, null) : undefined;
    if (collected !== undefined) return collected;
    const callee = child(node, "function");
    const name = callee === null ? "" : textOf(names.tree, callee);
    if (name === "dict") return keysOf(source, index, expand);
    return ofCall(constants, source, name, index, expand);
  }
  if (node.type === "dictionary") return keysOf(source, index, expand);
  if (node.type === "binary_operator" && textOf(names.tree, child(node, "operator")!) === "+") {
    const sides = [child(node, "left"), child(node, "right")].map((side) =>
      side === null ? null : elements(constants, { names, node: side }, index, expand)
    );
    return sides.includes(null) ? null : sides.flatMap((side) => side!);
  }
  if (!/^(list|tuple|set|expression_list)$/.test(node.type)) return null;
  const all: Expression[] = [];
  for (const each of named(node).slice(0, MAX_ELEMENTS)) {
    if (each.type === "comment") continue;
    if (each.type !== "list_splat") all.push({ names, node: each });
    else {
      const inner = elements(constants, { names, node: named(each)[0] ?? each }, null, expand);
      if (inner === null) return null;
      all.push(...inner);
    }
  }
  const appended = node.type === "list" ? appendedTo(constants, source) : [];
  if (appended === null) return null;
  all.push(...appended);
  return index === null ? all : partsOf(all, index, expand);
}

/** What is in the list of a collecting object: `registry.tools`. */
function ofAttributeList(
  constants: Constants,
  { names, node }: Expression,
  expand: Expand,
): Expression[] | null {
  if (node.type !== "attribute") return null;
  const object = single(expand({ names, node: child(node, "object")! }));
  const list = textOf(names.tree, child(node, "attribute")!);
  return object === null ? null : collectedBy(constants, object, list) ?? null;
}

function single(found: Expression[] | null): Expression | null {
  return found?.length === 1 ? found[0]! : null;
}

function keysOf(table: Expression, index: number | null, expand: Expand): Expression[] | null {
  return index === null ? entriesOf(table, expand)?.map(({ key }) => key) ?? null : null;
}

/** The part at a place of each row. */
function partsOf(rows: readonly Expression[], index: number, expand: Expand): Expression[] | null {
  return allOf(rows, (each) => {
    const row = single(expand(each));
    if (row === null || !/^(list|tuple)$/.test(row.node.type)) return null;
    const part = named(row.node)[index];
    return part === undefined ? null : [{ names: row.names, node: part }];
  });
}

/** Elements of `table.items()`, `enumerate(rows)`, `sorted(names)` and their like. */
function ofCall(
  constants: Constants,
  { names, node }: Expression,
  name: string,
  index: number | null,
  expand: Expand,
): Expression[] | null {
  const [first, second] = argumentsOf(names.tree, node).positional;
  if (/^(list|tuple|set|frozenset|sorted|reversed)$/.test(name) && first !== undefined) {
    return elements(constants, { names, node: first }, index, expand);
  }
  if (name === "enumerate" && first !== undefined) {
    return index === 1 ? elements(constants, { names, node: first }, null, expand) : null;
  }
  if (name === "zip" && index !== null) {
    const part = [first, second][index];
    return part === undefined ? null : elements(constants, { names, node: part }, null, expand);
  }
  const callee = child(node, "function");
  const method = callee?.type === "attribute" ? child(callee, "attribute") : null;
  const object = method === null ? null : child(callee!, "object");
  const table = object === null ? null : single(expand({ names, node: object }));
  const entries = table === null ? null : entriesOf(table, expand);
  if (entries === null || method === null) return null;
  const keys = entries.map(({ key }) => key);
  const values = entries.map(({ value }) => value);
  switch (textOf(names.tree, method)) {
    case "items":
      return index === null ? null : index === 0 ? keys : values;
    case "values":
      return index === null ? values : partsOf(values, index, expand);
    case "keys":
      return index === null ? keys : null;
    default:
      return null;
  }
}

/** What a row has under a key: an entry of a dictionary, an element of a list. */
export function field(
  row: Expression,
  keys: readonly string[],
  expand: Expand,
  textsOf: (each: Expression) => string[] | null,
): Expression[] | null {
  const entries = entriesOf(row, expand);
  if (entries === null) {
    const element = /^(list|tuple)$/.test(row.node.type) ? named(row.node)[Number(keys[0])] : null;
    return element && keys.length === 1 ? [{ names: row.names, node: element }] : null;
  }
  const found = keys.map((key) =>
    entries.findLast((entry) => textsOf(entry.key)?.[0] === key)?.value
  );
  return found.includes(undefined) ? null : found as Expression[];
}

/** An attribute of what a call of a class makes: an argument, or what the class has. */
export function attributeOf(
  constants: Constants,
  { names, node }: Expression,
  attribute: string,
): Expression[] | null {
  const callee = node.type === "call" ? child(node, "function") : node;
  const meant = callee === null ? null : resolve(names, callee);
  const cls = meant === null ? null : constants.classOf(names, meant);
  if (node.type === "call") {
    const { positional, keywords } = argumentsOf(names.tree, node);
    const given = keywords.get(attribute);
    if (given !== undefined) return [{ names, node: given }];
    if (cls === null) return null;
    const at = fieldsOf(cls).indexOf(attribute);
    if (at >= 0 && positional[at] !== undefined) return [{ names, node: positional[at] }];
  }
  if (cls === null) return null;
  const name = child(cls.node, "name")!;
  return constants.own(cls.names, `${textOf(cls.names.tree, name)}.${attribute}`);
}

/** The annotated fields of a class, in the order in which its instances are given them. */
function fieldsOf({ names, node }: Expression): string[] {
  const body = child(node, "body");
  return (body === null ? [] : named(body)).flatMap((statement) => {
    const [assignment] = named(statement);
    const left = assignment?.type === "assignment" && child(assignment, "type") !== null
      ? child(assignment, "left")
      : null;
    return left === null ? [] : [textOf(names.tree, left)];
  });
}

/** The text that an expression states, or null. */
export function literalOf({ names, node, text }: Expression): string | null {
  return text ?? stringValue(names.tree.text, node);
}
