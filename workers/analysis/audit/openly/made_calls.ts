/**
 * Which calls a tool makes, by itself and through others, and which are made as a server starts, whatever
 * it is asked for: all but those that a command line chooses.
 *
 * @module
 */
import type { Project } from "../../project.ts";
import { calleeOf } from "../../python/calls/callee.ts";
import { dottedText, type PythonNames } from "../../python/names.ts";
import { modulesBeside } from "../../python/values/elsewhere.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";
import type { FindDefinition } from "../flow/starting/changed_values.ts";
import { definitions } from "../flow/starting/declared_values.ts";

const CALLS = nodeTypes("call");
const INNER = nodeTypes("function_definition", "class_definition", "lambda");
const MAX_FUNCTIONS = 400;
/** Conditions by which a user asks for something. */
const ASKED =
  /arg|opt|flag|command|cmd|sys\.|mode|action|choice|answer|confirm|install|set_?up|config|init|yes|force|input\(/i;

/** Whether a condition between a node and the function around it says that somebody asks for it. */
function isAsked(names: PythonNames, node: SyntaxNode, within: SyntaxNode): boolean {
  for (let up = node.parent; up !== null && up.number !== within.number; up = up.parent) {
    if (up.type !== "if_statement" && up.type !== "elif_clause" && up.type !== "match_statement") {
      continue;
    }
    const condition = child(up, "condition") ?? child(up, "subject");
    const text = condition === null ? "" : textOf(names.tree, condition);
    if (!/__name__/.test(text) && ASKED.test(text)) return true;
  }
  return false;
}

interface Body {
  names: PythonNames;
  body: SyntaxNode;
}

/** Names of methods that say nothing of whose they are. */
const COMMON =
  /^(get|set|run|call|execute|send|read|write|open|close|start|stop|append|add|update|join|format|items|keys|values|pop|copy|split|strip|encode|decode|replace|info|debug|error|warning|tool|post|put|delete|request|load|save|dump|dumps|loads|\w{1,2})$/;
const MAX_METHODS = 3;

/** Methods of the project by that name, where an object is not told: `self.clip.take()`. */
function methodsNamed(names: PythonNames, name: string): Body[] {
  if (COMMON.test(name) || name.startsWith("__")) return [];
  const found = modulesBeside(names).flatMap((module): Body[] => {
    const definition = module.methods.get(name);
    const body = definition === undefined ? null : child(definition, "body");
    return body === null ? [] : [{ names: module, body }];
  });
  return found.length <= MAX_METHODS ? found : [];
}

/** The methods of the class of the project that an expression names. */
function methodsOfClass(names: PythonNames, expression: SyntaxNode): Body[] {
  return definitions(names, expression).flatMap(({ names: module, node }) => {
    const body = node.type === "class_definition" ? child(node, "body") : null;
    return (body === null ? [] : named(body)).flatMap((each) => {
      const method = each.type === "decorated_definition" ? child(each, "definition") : each;
      const inner = method?.type === "function_definition" ? child(method, "body") : null;
      return inner === null ? [] : [{ names: module, body: inner }];
    });
  });
}

/** Functions of the project that a call calls, or hands on for somebody else to call. */
function calledBy(names: PythonNames, call: SyntaxNode, find: FindDefinition): Body[] {
  const callee = child(call, "function");
  const list = child(call, "arguments");
  const handed = (list === null ? [] : named(list)).map((each) => child(each, "value") ?? each);
  return [callee, ...handed].flatMap((each) => {
    if (each === null || !/^(identifier|attribute)$/.test(each.type)) return [];
    const name = each === callee
      ? calleeOf(names, each)?.name ?? dottedText(names.tree, each)
      : dottedText(names.tree, each);
    const target = name === null ? null : find(names, name);
    const body = target === null ? null : child(target.definition, "body");
    // Who makes an object may have any of its methods called, also by a library.
    const made = each === callee ? methodsOfClass(names, each) : [];
    if (target !== null && body !== null) return [{ names: target.names, body }, ...made];
    if (made.length > 0) return made;
    const method = each.type === "attribute" ? child(each, "attribute") : null;
    return method === null ? [] : methodsNamed(names, textOf(names.tree, method));
  });
}

/** The calls that are made from bodies on, by file and number; `isLeftOut` says which are not. */
function callsFrom(
  bodies: readonly Body[],
  find: FindDefinition,
  isLeftOut: (names: PythonNames, call: SyntaxNode, body: SyntaxNode) => boolean,
): Set<string> {
  const found = new Set<string>();
  const waiting = [...bodies];
  const seen = new Set<string>();
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
    const { names, body } = at;
    // A module makes its own calls, not those of its functions.
    for (const call of walk(body, CALLS, body.type === "module" ? INNER : undefined)) {
      if (isLeftOut(names, call, body)) continue;
      found.add(callKey(names.tree.path, call));
      for (const next of calledBy(names, call, find)) {
        const key = callKey(next.names.tree.path, next.body);
        if (seen.has(key) || seen.size > MAX_FUNCTIONS) continue;
        seen.add(key);
        waiting.push(next);
      }
    }
  }
  return found;
}

function callKey(path: string, node: SyntaxNode): string {
  return `${path}\0${node.number}`;
}

/** Whether a call is one of a set. */
export type Among = (path: string, node: SyntaxNode) => boolean;

/** The calls that a function makes, by itself and through others. */
export function madeBy(names: PythonNames, definition: SyntaxNode, find: FindDefinition): Among {
  const body = child(definition, "body");
  const found = callsFrom(body === null ? [] : [{ names, body }], find, () => false);
  return (path, node) => found.has(callKey(path, node));
}

/** The calls that are made as the server starts. */
export function madeAtStart(project: Project, find: FindDefinition): Among {
  const bodies: Body[] = [];
  for (const [path, names] of project.python) {
    if (!project.certain.has(path)) continue;
    bodies.push({ names, body: names.tree.root });
    for (const name of names.functions.keys()) {
      const definition = names.functions.get(name);
      const body = definition === undefined ? null : child(definition, "body");
      if (body !== null && /lifespan|on_start|startup/.test(name)) bodies.push({ names, body });
    }
  }
  const found = callsFrom(bodies, find, isAsked);
  return (path, node) => found.has(callKey(path, node));
}
