/**
 * What objects are, by how they are made: `c = fabric.Connection(h)`, `with connect() as c`,
 * `def go(c: Connection)`, `self.client = docker.from_env()`.
 *
 * @module
 */
import { textOf } from "../../syntax/source_tree.ts";
import { ancestor, child, named, type SyntaxNode } from "../../syntax/tree.ts";
import { plainValue, valuesOf } from "../values/assigned.ts";
import type { Callee, FindCallee } from "./callee_type.ts";
import { isCommand } from "./commands.ts";
import { type CallArguments, dottedText, type PythonNames, resolve } from "../names.ts";
import { MADE_BY_DECORATOR } from "./starters.ts";

const FUNCTIONS = ["function_definition", "lambda"] as const;
/** Values of one name that are looked at. */
const MAX_VALUES = 20;
const NO_TYPE = /^(str|int|float|bool|bytes|dict|list|tuple|set|Any|typing\.Any|object)\b/;

/** What makes an expression, with the call's brackets: `docker.from_env()`. */
function makerOf(
  names: PythonNames,
  value: SyntaxNode,
  hops: number,
  calleeOf: FindCallee,
): string | null {
  const plain = plainValue(value);
  const expression = plain.type === "call" ? child(plain, "function") : null;
  const name = expression === null ? null : calleeOf(names, expression, hops + 5)?.name ?? null;
  return name === null ? null : `${name}()`;
}

/** The type of a parameter, or what a decorator gives as the first one. */
function parameterType(names: PythonNames, node: SyntaxNode, name: string): string | null {
  const around = ancestor(node, ...FUNCTIONS);
  const list = around === null ? null : child(around, "parameters");
  const parameters = list === null ? [] : named(list);
  const at = parameters.findIndex((each) => {
    const own = each.type === "identifier" ? each : child(each, "name") ?? named(each)[0];
    return own !== undefined && own !== null && textOf(names.tree, own) === name;
  });
  if (at < 0) return null;
  const type = child(parameters[at]!, "type");
  const [written] = type === null ? [] : named(type);
  const meant = written === undefined ? null : resolve(names, written);
  if (meant !== null) return NO_TYPE.test(meant) ? null : `${meant}()`;
  const holder = around!.parent;
  if (at > 0 || holder?.type !== "decorated_definition") return null;
  for (const decorator of named(holder).filter((each) => each.type === "decorator")) {
    const [expression] = named(decorator);
    const callee = expression?.type === "call" ? child(expression, "function") : expression;
    const by = callee === undefined || callee === null ? "" : resolve(names, callee) ?? "";
    const made = MADE_BY_DECORATOR.find(([pattern]) => pattern.test(by));
    if (made !== undefined) return made[1];
  }
  return null;
}

/** A command that an expression is, or that is made by what it is: `SshMachine(h)`. */
export function commandOf(
  names: PythonNames,
  node: SyntaxNode,
  hops: number,
  calleeOf: FindCallee,
): Callee | null {
  const callee = calleeOf(names, node, hops + 1);
  if (callee !== null && isCommand(callee.name)) return callee;
  const values = node.type === "identifier" ? valuesOf(names, node).values : [node];
  const made = values.slice(0, MAX_VALUES).map((value) => makerOf(names, value, hops, calleeOf))
    .find((name) => name !== null && isCommand(name));
  return made === undefined || made === null ? null : { name: made, detour: null };
}

/** What commands are given other than by a call: words in brackets, a pipe's or a text's input. */
export function commandUse(
  names: PythonNames,
  node: SyntaxNode,
  calleeOf: FindCallee,
): { callee: Callee; given: CallArguments } | null {
  if (node.type === "subscript") {
    const callee = calleeOf(names, node);
    return callee?.bound === undefined || !isCommand(callee.name)
      ? null
      : { callee, given: callee.bound };
  }
  const operator = child(node, "operator")?.type ?? "";
  const [left, right] = [child(node, "left"), child(node, "right")];
  if (left === null || right === null || !/^(\||<<|<)$/.test(operator)) return null;
  // `echo[x] | sh`: the command on the right reads what the one on the left writes.
  const reader = operator === "|" ? right : left;
  const callee = commandOf(names, reader, 0, calleeOf);
  if (callee === null) return null;
  const words = operator === "|" && left.type === "subscript" ? child(left, "subscript") : null;
  const input = operator === "|" ? words ?? left : right;
  const keywords = new Map([...callee.bound?.keywords ?? [], ["_in", input] as const]);
  return { callee, given: { positional: callee.bound?.positional ?? [], keywords } };
}

/** Methods of objects that start something, or ask another machine. */
const METHODS =
  /^(run\w*|sudo|local|exec\w*|send\w*|open\w*|popen|spawn\w*|create\w*|connect_\w+|append|prepend|cli|cmd\w*|eval|compile|subproc_\w+|captured_\w+|system|WinExec|ShellExecute\w*|Create\w*|Run|Exec|dlopen|LoadLibrary|verify|set_source|a?invoke|arun|push|get|post|put|request|stream|urlopen|getresponse|recv\w*|\w?popen|session|new|set_command)$/;

/** Names of what an attribute chain may mean where its head is an object: `c.run` by what `c` is. */
export function madeNames(
  names: PythonNames,
  node: SyntaxNode,
  hops: number,
  calleeOf: FindCallee,
): string[] {
  const rest: string[] = [];
  const method = node.type === "attribute" ? child(node, "attribute") : null;
  if (method === null || !METHODS.test(textOf(names.tree, method))) return rest;
  let at = node;
  while (at.type === "attribute") {
    const attribute = child(at, "attribute");
    const object = child(at, "object");
    if (attribute === null || object === null) return [];
    rest.unshift(textOf(names.tree, attribute));
    at = object;
    if (dottedText(names.tree, at) === null) return [];
    const makers = valuesOf(names, at).values.slice(0, MAX_VALUES)
      .map((value) => makerOf(names, value, hops, calleeOf));
    if (at.type === "identifier") makers.push(parameterType(names, at, textOf(names.tree, at)));
    const known = makers.filter((each) => each !== null);
    if (known.length > 0) return known.map((each) => `${each}.${rest.join(".")}`);
  }
  return [];
}
