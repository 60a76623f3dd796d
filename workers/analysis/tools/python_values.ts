/**
 * What a Python expression may stand for, over literals, constants of any module, choices, rows and
 * loops over them, and what callers pass. What cannot be told is null: then tools are registered
 * dynamically.
 *
 * @module
 */
import { isParameter, plainValue, valuesOf } from "../python/values/assigned.ts";
import { argumentsOf, dottedText, meaningOf, resolve } from "../python/names.ts";
import { textOf } from "../syntax/source_tree.ts";
import { ancestor, child, type SyntaxNode } from "../syntax/tree.ts";
import { passedTo } from "./python_callers.ts";
import type { Constants, Expression } from "./python_modules.ts";
import { allOf, attributeOf, elements, field, loopOf, memberName } from "./python_rows.ts";
import { stringsOf } from "./python_texts.ts";

/** Most steps from an expression to what is behind it. */
export const MAX_DEPTH = 12;
/** Most expressions that are looked at for one. */
export const MAX_WORK = 4000;

/** `possible` as of one step further. */
export function expander(constants: Constants, depth: number) {
  return (each: Expression) => possible(constants, each, depth + 1);
}

function ofName(
  constants: Constants,
  expression: Expression,
  depth: number,
): Expression[] | null {
  const { names, node } = expression;
  const name = textOf(names.tree, node);
  const expand = expander(constants, depth);
  const loop = loopOf(expression);
  if (loop !== null) {
    return allOf(elements(constants, { names, node: loop.over }, loop.index, expand), expand);
  }
  if (isParameter(names, node, name)) return allOf(passedTo(constants, expression), expand);
  const { values, open } = valuesOf(names, node);
  if (values.length > 0) {
    return open ? null : allOf(values.map((value) => ({ names, node: value })), expand);
  }
  const definition = names.functions.get(name);
  if (definition !== undefined) return [{ names, node: definition }];
  const meant = resolve(names, node);
  if (meant === null || meant === name) return null;
  const found = constants.find(names, meant);
  if (found !== null) return [{ names: found.names, node: found.definition }];
  return allOf(constants.held(names, meant), expand);
}

function ofAttribute(
  constants: Constants,
  { names, node }: Expression,
  depth: number,
): Expression[] | null {
  const expand = expander(constants, depth);
  const object = child(node, "object");
  const last = child(node, "attribute");
  if (object === null || last === null) return null;
  const attribute = textOf(names.tree, last);
  const dotted = dottedText(names.tree, node);
  if (dotted !== null) {
    const own = valuesOf(names, node);
    if (own.values.length > 0) {
      return own.open ? null : allOf(own.values.map((value) => ({ names, node: value })), expand);
    }
    const cls = /^(self|cls)\.\w+$/.test(dotted) ? ancestor(node, "class_definition") : null;
    const holder = cls === null ? null : child(cls, "name");
    const meant = resolve(names, node);
    const found = holder !== null
      ? constants.own(names, `${textOf(names.tree, holder)}.${attribute}`)
      : meant === null
      ? null
      : constants.held(names, meant);
    if (found !== null) return allOf(found, expand);
  }
  const objects = expand({ names, node: object });
  if (attribute === "__name__") {
    return allOf(objects, (each) => {
      const name = each.node.type === "function_definition" ? child(each.node, "name") : null;
      return name === null ? null : [{ ...each, text: textOf(each.names.tree, name) }];
    });
  }
  return allOf(objects, (each) => {
    const member = memberName(each);
    if (member !== null && attribute === "value") return [each];
    if (member !== null && attribute === "name") return [{ ...each, text: member }];
    return allOf(attributeOf(constants, each, attribute), expand);
  });
}

/** `table[key]` and `table.get(key)`. */
function ofKey(
  constants: Constants,
  { names, node }: Expression,
  holder: SyntaxNode,
  key: SyntaxNode,
  depth: number,
): Expression[] | null {
  const expand = expander(constants, depth);
  const number = key.type === "integer" ? textOf(names.tree, key) : null;
  const keys = number !== null ? [number] : stringsOf({ names, node: key }, constants, depth + 1);
  if (keys === null) return null;
  // `Names["SEARCH"]` of an enumeration.
  const meant = resolve(names, holder);
  const cls = meant === null ? null : constants.classOf(names, meant);
  if (cls !== null) {
    const name = textOf(cls.names.tree, child(cls.node, "name")!);
    return allOf(
      keys.map((each) => ({ names, node, text: each })),
      ({ text }) => constants.own(cls.names, `${name}.${text}`),
    );
  }
  return allOf(expand({ names, node: holder }), (row) =>
    allOf(
      field(row, keys, expand, (each) => stringsOf(each, constants, depth + 1)),
      expand,
    ));
}

function ofCall(
  constants: Constants,
  expression: Expression,
  depth: number,
): Expression[] | null {
  const { names, node } = expression;
  const callee = child(node, "function");
  const { positional: [first, second] } = argumentsOf(names.tree, node);
  const method = callee?.type === "attribute"
    ? textOf(names.tree, child(callee, "attribute")!)
    : "";
  const object = callee?.type === "attribute" ? child(callee, "object") : null;
  if (object !== null && method === "get" && first !== undefined) {
    const found = ofKey(constants, expression, object, first, depth);
    return found ?? null;
  }
  if (object !== null && method === "copy" && first === undefined) {
    return possible(constants, { names, node: object }, depth + 1);
  }
  if (callee !== null && first !== undefined && second === undefined) {
    // `str(name)` and `Names("search")` are what they are given.
    const meant = resolve(names, callee);
    const cls = meant === null || meant === "str" ? null : constants.classOf(names, meant);
    const bases = cls === null ? null : child(cls.node, "superclasses");
    const isEnum = cls !== null && bases !== null && /Enum\b/.test(textOf(cls.names.tree, bases));
    if (meant === "str" || isEnum) return possible(constants, { names, node: first }, depth + 1);
  }
  return [expression];
}

/** Expressions of which an expression is one: behind names, choices, rows and callers. */
export function possible(
  constants: Constants,
  expression: Expression,
  depth = 0,
): Expression[] | null {
  if (expression.text !== undefined) return [expression];
  const { names } = expression;
  const node = plainValue(expression.node);
  const here = { names, node };
  if (depth === 0) constants.work.left = MAX_WORK;
  if (depth > MAX_DEPTH || --constants.work.left < 0) return null;
  const expand = expander(constants, depth);
  switch (node.type) {
    case "identifier":
      return ofName(constants, here, depth);
    case "attribute":
      return ofAttribute(constants, here, depth);
    case "dotted_name": {
      // Of `case Names.FIND.value:`.
      const dotted = textOf(names.tree, node).replace(/\.value$/, "");
      const meant = meaningOf(names, dotted);
      const found = meant === dotted ? constants.own(names, dotted) : constants.held(names, meant);
      return allOf(found, expand);
    }
    case "subscript": {
      const holder = child(node, "value");
      const key = child(node, "subscript");
      if (holder === null || key === null || key.type === "slice") return [here];
      return ofKey(constants, here, holder, key, depth);
    }
    case "call":
      return ofCall(constants, here, depth);
    case "conditional_expression":
      return allOf(
        [node.children[0]!, node.children.at(-1)!].map((node) => ({ names, node })),
        expand,
      );
    case "boolean_operator": {
      if (child(node, "operator")?.type !== "or") return null;
      const sides = allOf(
        [child(node, "left")!, child(node, "right")!].map((node) => ({ names, node })),
        expand,
      );
      return sides?.filter(({ node }) => node.type !== "none") ?? null;
    }
    default:
      return [here];
  }
}
