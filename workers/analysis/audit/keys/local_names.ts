/**
 * Names that a function has for itself, whatever the module has under them.
 *
 * @module
 */
import type { PythonNames } from "../../python/names.ts";
import { isParameter, valuesOf } from "../../python/values/assigned.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { ancestor, named, type SyntaxNode, walk } from "../../syntax/tree.ts";

const GLOBALS = nodeTypes("global_statement");

/** Whether the function around a node has the name for something of its own. */
export function isLocal(names: PythonNames, node: SyntaxNode, name: string): boolean {
  if (isParameter(names, node, name)) return true;
  const inside = ancestor(node, "function_definition", "lambda");
  return inside !== null && !isGlobal(names, inside, name) &&
    valuesOf(names, node).values.some((value) => {
      const around = ancestor(value, "function_definition", "lambda");
      return around !== null && !isGlobal(names, around, name);
    });
}

/** Whether a function says that it means the module's name. */
function isGlobal(names: PythonNames, definition: SyntaxNode, name: string): boolean {
  return [...walk(definition, GLOBALS)].some((each) =>
    named(each).some((one) => textOf(names.tree, one) === name)
  );
}
