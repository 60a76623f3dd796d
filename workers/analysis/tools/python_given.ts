/**
 * What registers a tool in Python, and with which arguments: spread tables (`**OPTIONS`), what
 * `functools.partial` has bound, decorators that were kept under a name or that a function gives.
 *
 * @module
 */
import { argumentsOf, type PythonNames, resolve } from "../python/names.ts";
import { nodeTypes } from "../syntax/node_types.ts";
import { textOf } from "../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode, walk } from "../syntax/tree.ts";
import type { Constants, Expression } from "./python_modules.ts";
import { elements, entriesOf, literalOf } from "./python_rows.ts";
import { expander, MAX_WORK, possible } from "./python_values.ts";

const RETURNS = nodeTypes("return_statement");

/** Arguments of a call, each as all that it may be where a spread table has several rows. */
export interface Given {
  positional: Expression[];
  keywords: Map<string, Expression[]>;
  /** Whether more is given that cannot be told. */
  open: boolean;
}

/** No arguments. */
export const NOTHING_GIVEN: Given = { positional: [], keywords: new Map(), open: false };

/** The arguments of a call, spread lists and tables included. */
export function givenOf(constants: Constants, { names, node }: Expression): Given {
  const { positional, keywords } = argumentsOf(names.tree, node);
  const given: Given = { positional: [], keywords: new Map(), open: false };
  constants.work.left = MAX_WORK;
  const expand = expander(constants, 0);
  for (const [key, value] of keywords) given.keywords.set(key, [{ names, node: value }]);
  for (const each of positional) {
    const inner = { names, node: named(each)[0] ?? each };
    if (each.type === "list_splat") {
      const all = elements(constants, inner, null, expand);
      if (all === null) given.open = true;
      else given.positional.push(...all);
    } else if (each.type === "dictionary_splat") {
      const rows = possible(constants, inner)?.map((row) => entriesOf(row, expand)) ?? [null];
      spread(given, rows);
    } else if (each.type !== "comment") given.positional.push({ names, node: each });
  }
  // FastMCP's name for the first.
  const first = given.keywords.get("name_or_fn");
  if (first !== undefined && given.positional.length === 0) given.positional.push(...first);
  return given;
}

function spread(given: Given, rows: readonly ReturnType<typeof entriesOf>[]): void {
  if (rows.includes(null)) given.open = true;
  for (const row of rows) {
    for (const { key, value } of row ?? []) {
      const name = literalOf(key);
      if (name === null) given.open = true;
      else given.keywords.set(name, [...given.keywords.get(name) ?? [], value]);
    }
  }
  // A row without a name is named otherwise.
  const names = given.keywords.get("name");
  if (names !== undefined && names.length < rows.length) given.open = true;
}

/** Arguments that are bound already, and those of a later call. */
export function joined(bound: Given, later: Given): Given {
  return {
    positional: [...bound.positional, ...later.positional],
    keywords: new Map([...bound.keywords, ...later.keywords]),
    open: bound.open || later.open,
  };
}

/** The call that an expression's value was made by, where it is one in the project. */
export function madeBy(constants: Constants, expression: Expression): Expression | null {
  const found = possible(constants, expression);
  const [only] = found ?? [];
  return found?.length === 1 && only!.node.type === "call" ? only! : null;
}

/** The call that a function of the project gives back, when that is all it does. */
export function givenBack(constants: Constants, call: Expression): Expression | null {
  const callee = child(call.node, "function");
  const meant = callee === null ? null : resolve(call.names, callee);
  const found = meant === null ? null : constants.find(call.names, meant);
  const body = found === null ? null : child(found.definition, "body");
  if (found === null || body === null) return null;
  const returns = [...walk(body, RETURNS)]
    .filter((each) => ancestor(each, "function_definition") === found.definition)
    .map((each) => named(each)[0]);
  const [only] = returns;
  return returns.length === 1 && only?.type === "call" ? { names: found.names, node: only } : null;
}

/** What `functools.partial(mcp.tool, …)` hands on: the function, and what is bound. */
export function partialOf(
  constants: Constants,
  call: Expression,
): { callee: Expression; bound: Given } | null {
  const callee = child(call.node, "function");
  if (callee === null || !/^(functools\.)?partial$/.test(resolve(call.names, callee) ?? "")) {
    return null;
  }
  const given = givenOf(constants, call);
  const [first, ...positional] = given.positional;
  return first === undefined ? null : { callee: first, bound: { ...given, positional } };
}

/** Whether every use of a name that is given what registers, and of the function around, is seen. */
export function isFollowed(constants: Constants, names: PythonNames, node: SyntaxNode): boolean {
  const { parent } = node;
  if (parent?.type === "assignment") {
    const left = child(parent, "left");
    return left?.type === "identifier" &&
      (constants.usesOf(names, textOf(names.tree, left))?.length ?? 0) > 0;
  }
  const owner = parent?.type === "return_statement"
    ? ancestor(parent, "function_definition")
    : null;
  const name = owner === null ? null : child(owner, "name");
  if (name === null) return false;
  const body = child(owner!, "body");
  const returns = body === null ? [] : [...walk(body, RETURNS)];
  const uses = returns.length === 1 ? constants.usesOf(names, textOf(names.tree, name)) : null;
  return uses !== null && uses.length > 0 &&
    uses.every(({ call, decorated }) =>
      call !== null && (decorated !== null || call.field === "function")
    );
}
