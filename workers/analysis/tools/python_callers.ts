/**
 * What the parameters of Python functions are given, where every caller can be seen: helpers that
 * register what they are handed, factories of decorators.
 *
 * @module
 */
import { argumentsOf } from "../python/names.ts";
import { textOf } from "../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode, walk } from "../syntax/tree.ts";
import { nodeTypes } from "../syntax/node_types.ts";
import type { Constants, Expression, Use } from "./python_modules.ts";

const RETURNS = nodeTypes("return_statement");

interface Parameter {
  name: string;
  fallback: SyntaxNode | null;
  /** Whether it takes all that is left, as `*args` does. */
  rest: boolean;
}

function parametersOf({ names, node }: Expression): Parameter[] {
  const list = child(node, "parameters");
  return (list === null ? [] : named(list)).flatMap((each) => {
    const own = each.type === "identifier"
      ? each
      : child(each, "name") ?? named(each).find(({ type }) => type === "identifier");
    if (own === null || own === undefined) return [];
    const rest = /splat/.test(each.type) || /^\*/.test(textOf(names.tree, each));
    return [{ name: textOf(names.tree, own), fallback: child(each, "value"), rest }];
  });
}

/** The innermost function around an expression that has its name as a parameter. */
function ownerOf({ names, node }: Expression): SyntaxNode | null {
  const name = textOf(names.tree, node);
  let up = ancestor(node, "function_definition");
  while (up !== null) {
    if (parametersOf({ names, node: up }).some((each) => each.name === name)) return up;
    up = ancestor(up, "function_definition");
  }
  return null;
}

/** Whether a function is a method, whose first parameter callers do not pass. */
function isMethod(node: SyntaxNode): boolean {
  const outer = node.parent?.type === "decorated_definition" ? node.parent.parent : node.parent;
  return outer?.parent?.type === "class_definition";
}

/** The function around another one that gives it back: a factory of decorators. */
function factoryOf({ names, node }: Expression): SyntaxNode | null {
  const name = textOf(names.tree, child(node, "name")!);
  const outer = ancestor(node, "function_definition");
  const body = outer === null ? null : child(outer, "body");
  const given = body === null
    ? []
    : [...walk(body, RETURNS)].filter((each) => ancestor(each, "function_definition") === outer);
  return given.some((each) => named(each)[0] && textOf(names.tree, named(each)[0]!) === name)
    ? outer
    : null;
}

/** What a call passes for a parameter; undefined when it passes nothing. */
function passed(
  { names, call }: Use & { call: SyntaxNode },
  parameters: readonly Parameter[],
  wanted: string,
  method: boolean,
): Expression | null | undefined {
  const { positional, keywords } = argumentsOf(names.tree, call);
  const given = keywords.get(wanted);
  if (given !== undefined) return { names, node: given };
  if (positional.some(({ type }) => /splat/.test(type))) return null;
  const at = parameters.findIndex(({ name }) => name === wanted) - (method ? 1 : 0);
  const node = positional[at];
  return node === undefined ? undefined : { names, node };
}

/** The function that a use of a decorator's factory is applied to. */
function appliedTo(use: Use): Expression | null {
  const { names, call, decorated } = use;
  if (decorated !== null) return { names, node: decorated };
  const outer = call?.parent?.type === "call" && call.field === "function" ? call.parent : null;
  const first = outer === null ? undefined : argumentsOf(names.tree, outer).positional[0];
  return first === undefined ? null : { names, node: first };
}

/** Everything that a parameter is given, or null when not every caller is known. */
export function passedTo(constants: Constants, expression: Expression): Expression[] | null {
  const { names, node } = expression;
  const wanted = textOf(names.tree, node);
  const owner = ownerOf(expression);
  if (owner === null) return null;
  const parameters = parametersOf({ names, node: owner });
  const parameter = parameters.find(({ name }) => name === wanted)!;
  if (parameter.rest) return null;
  const factory = factoryOf({ names, node: owner });
  const name = child(factory ?? owner, "name");
  const uses = name === null ? null : constants.usesOf(names, textOf(names.tree, name));
  if (uses === null || uses.length === 0) return null;
  const found: Expression[] = [];
  for (const use of uses) {
    const value = factory === null ? direct(use) : appliedTo(use);
    if (value === null) return null;
    found.push(value);
  }
  return found;

  function direct(use: Use): Expression | null {
    if (use.call === null) {
      return use.decorated === null ? null : { names: use.names, node: use.decorated };
    }
    const given = passed({ ...use, call: use.call }, parameters, wanted, isMethod(owner!));
    if (given !== undefined) return given;
    return parameter.fallback === null ? null : { names, node: parameter.fallback };
  }
}
