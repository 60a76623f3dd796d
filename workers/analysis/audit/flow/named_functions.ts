/**
 * Functions that are called without a definition's name: lambdas behind names, properties.
 *
 * @module
 */
import type { PythonNames } from "../../python/names.ts";
import { moduleValues } from "../../python/values/assigned.ts";
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

/** The module's own class of an object: of `self`, of what is made by it. */
function classOf(names: PythonNames, object: SyntaxNode): string | null {
  const text = textOf(names.tree, object);
  if (text === "self") {
    const cls = ancestor(object, "class_definition");
    return cls === null ? null : textOf(names.tree, child(cls, "name")!);
  }
  const made = object.type === "call" ? object : names.calls.get(text);
  return made === undefined ? null : textOf(names.tree, child(made, "function")!);
}

const computing = new WeakMap<PythonNames, boolean>();

/** Whether a class of the module computes what its objects have. */
function computesAttributes(names: PythonNames): boolean {
  let computes = computing.get(names);
  if (computes === undefined) {
    computes = /\bdef __get(attr(ibute)?)?__\b/.test(names.tree.text);
    computing.set(names, computes);
  }
  return computes;
}

/** What computes an attribute for its class: a descriptor, or `__getattr__`. */
function computedBy(names: PythonNames, node: SyntaxNode, attribute: string): SyntaxNode | null {
  if (!computesAttributes(names)) return null;
  const cls = classOf(names, child(node, "object")!);
  if (cls === null) return null;
  const [value] = moduleValues(names, `${cls}.${attribute}`).values;
  const descriptor = value?.type === "call" ? textOf(names.tree, child(value, "function")!) : "";
  const ways = [`${cls}.__getattribute__`, `${descriptor}.__get__`];
  if (value === undefined && !names.methods.has(`${cls}.${attribute}`)) {
    ways.push(`${cls}.__getattr__`);
  }
  return ways.map((each) => names.methods.get(each)).find((each) => each !== undefined) ?? null;
}

/** The method that computes an attribute; null for an attribute that is stored. */
export function propertyMethod(names: PythonNames, node: SyntaxNode): SyntaxNode | null {
  const attribute = node.type === "attribute" ? child(node, "attribute") : null;
  if (attribute === null) return null;
  const computed = computedBy(names, node, textOf(names.tree, attribute));
  if (computed !== null) return computed;
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
