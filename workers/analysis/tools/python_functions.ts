/**
 * Functions that Python registers as tools, behind names, rows, wrappers and callers.
 *
 * @module
 */
import { isParameter, plainValue } from "../python/values/assigned.ts";
import { argumentsOf, type PythonNames, resolve } from "../python/names.ts";
import { textOf } from "../syntax/source_tree.ts";
import { child } from "../syntax/tree.ts";
import type { PlacedFunction } from "./declaration.ts";
import { passedTo } from "./python_callers.ts";
import type { Constants, Expression } from "./python_modules.ts";
import { hidesName } from "./python_renames.ts";
import { allOf, elements, loopOf } from "./python_rows.ts";
import { expander, MAX_DEPTH, MAX_WORK, possible } from "./python_values.ts";

/** A function that is registered: its name, and its definition when it is in the project. */
export interface Registered {
  name: string;
  definition: PlacedFunction | null;
}

function mentions({ names, node }: Expression, name: string): boolean {
  return textOf(names.tree, node).split(/\W+/).includes(name);
}

function ofFunction({ names, node }: Expression): Registered[] | null {
  const name = child(node, "name");
  return name === null
    ? null
    : [{ name: textOf(names.tree, name), definition: { tree: names.tree, node } }];
}

/** The functions that an expression may be, or null. */
export function functionsOf(
  expression: Expression,
  constants: Constants,
  depth = 0,
): Registered[] | null {
  if (depth === 0) constants.work.left = MAX_WORK;
  if (depth > MAX_DEPTH || --constants.work.left < 0) return null;
  const { names } = expression;
  const node = plainValue(expression.node);
  const read = (each: Expression) => functionsOf(each, constants, depth + 1);
  switch (node.type) {
    case "function_definition":
      return ofFunction({ names, node });
    case "identifier": {
      const name = textOf(names.tree, node);
      const definition = names.functions.get(name);
      const value = names.values.get(name);
      // `a = b` after `def a`; `a = tool()(a)` and `a = logged(a)` are about the function itself.
      const again = definition !== undefined && value !== undefined &&
        value.start > definition.start && !mentions({ names, node: value }, name);
      if (again) return functionsOf({ names, node: value }, constants, depth + 1);
      if (definition !== undefined) return ofFunction({ names, node: definition });
      const loop = loopOf({ names, node });
      if (loop !== null) {
        const over = { names, node: loop.over };
        return allOf(elements(constants, over, loop.index, expander(constants, depth)), read);
      }
      if (isParameter(names, node, name)) return allOf(passedTo(constants, { names, node }), read);
      const found = possible(constants, { names, node }, depth + 1);
      if (found !== null) return allOf(found, read);
      const meant = names.bindings.get(name);
      return meant === undefined ? null : [{
        name: meant.split(".").at(-1)!,
        definition: placed(constants, names, meant),
      }];
    }
    case "attribute": {
      const name = child(node, "attribute");
      if (name === null) return null;
      const found = possible(constants, { names, node }, depth + 1);
      if (found !== null && found.every(({ node }) => node.type !== "attribute")) {
        const functions = allOf(found, read);
        if (functions !== null) return functions;
      }
      const text = textOf(names.tree, name);
      const meant = resolve(names, node) ?? `self.${text}`;
      return [{ name: text, definition: placed(constants, names, meant) }];
    }
    case "subscript":
    case "conditional_expression":
      return allOf(possible(constants, { names, node }, depth + 1), read);
    case "call": {
      // A wrapper such as `tool(log_calls(fn))` usually keeps the name by functools.wraps.
      const { positional } = argumentsOf(names.tree, node);
      return positional.length === 1 && !hidesName(constants, names, node)
        ? functionsOf({ names, node: positional[0]! }, constants, depth + 1)
        : null;
    }
    case "list":
    case "tuple":
      return allOf(elements(constants, { names, node }, null, expander(constants, depth)), read);
    default:
      return null;
  }
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
