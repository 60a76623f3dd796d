/**
 * Functions that are called without a definition's name: lambdas behind names, properties.
 *
 * @module
 */
import type { PythonNames } from "../../python/names.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { ancestor, child, type SyntaxNode, walk } from "../../syntax/tree.ts";
import type { FindFunction } from "./observed.ts";

/** `key = lambda: os.getenv("KEY")`, as a function of that name. */
export function lambdaOf(names: PythonNames, name: string): ReturnType<FindFunction> {
  const definition = names.values.get(name);
  return definition?.type === "lambda" ? { names, definition } : null;
}

const PROPERTY = /^@\s*(\w+\.)?(cached_)?property\b/;

/** The method that computes an attribute; null for an attribute that is stored. */
export function propertyMethod(names: PythonNames, node: SyntaxNode): SyntaxNode | null {
  const attribute = node.type === "attribute" ? child(node, "attribute") : null;
  if (attribute === null) return null;
  const definition = names.methods.get(textOf(names.tree, attribute));
  const decorated = definition?.parent?.type === "decorated_definition" ? definition.parent : null;
  const head = decorated === null ? "" : textOf(names.tree, decorated).slice(0, 60);
  return PROPERTY.test(head) ? definition! : null;
}

const FUNCTIONS = nodeTypes("function_definition");

/** The bodies of the other methods of an object that is made by `__init__`; of any other, none. */
export function methodsOfMade(names: PythonNames, definition: SyntaxNode): SyntaxNode[] {
  const name = child(definition, "name");
  const cls = name === null || textOf(names.tree, name) !== "__init__"
    ? null
    : ancestor(definition, "class_definition");
  return cls === null
    ? []
    : [...walk(cls, FUNCTIONS)].filter(({ number }) => number !== definition.number)
      .flatMap((each) => child(each, "body") ?? []);
}
