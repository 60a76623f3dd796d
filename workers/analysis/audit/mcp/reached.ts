/**
 * What runs when a tool is called: the calls of its function and of the project's functions that it
 * calls, in every language.
 *
 * @module
 */
import type { Project } from "../../project.ts";
import { calleeOf } from "../../python/calls/callee.ts";
import { dottedText, type PythonNames } from "../../python/names.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import type { SourceTree } from "../../syntax/source_tree.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { functionFinder } from "../flow/functions.ts";

/** A call that may run. */
export interface ReachedCall {
  tree: SourceTree;
  node: SyntaxNode;
  /** The called function: resolved in Python, else as written, without spaces. */
  name: string;
  /** How many calls of the project's functions are between the tool and this one. */
  depth: number;
}

/** The calls that a function of the project makes, by itself and through others. */
export type ReachedCalls = (tree: SourceTree, body: SyntaxNode) => ReachedCall[];

interface Definition {
  tree: SourceTree;
  node: SyntaxNode;
}

const MAX_DEPTH = 4;
const MAX_FUNCTIONS = 300;
const MAX_CALLS = 10_000;
/** Calls, in every language. */
export const CALLS = nodeTypes("call", "call_expression", "new_expression");
const FUNCTIONS = [
  "function_declaration",
  "method_definition",
  "method_declaration",
  "function_item",
];
const DEFINITIONS = nodeTypes(...FUNCTIONS, "variable_declarator");

function written(tree: SourceTree, callee: SyntaxNode): string {
  return textOf(tree, callee).slice(0, 200).replace(/\s/g, "");
}

function pythonName(names: PythonNames, callee: SyntaxNode): string {
  return calleeOf(names, callee)?.name ?? dottedText(names.tree, callee) ??
    written(names.tree, callee);
}

/** Functions of other languages by name; null where a name is taken more than once. */
function definitions(trees: readonly SourceTree[]): Map<string, Definition | null> {
  const found = new Map<string, Definition | null>();
  for (const tree of trees) {
    for (const node of walk(tree.root, DEFINITIONS)) {
      const value = node.type === "variable_declarator" ? child(node, "value") : null;
      const isFunction = FUNCTIONS.includes(node.type) ||
        /^(arrow_function|function_expression)$/.test(value?.type ?? "");
      const name = isFunction ? child(node, "name") : null;
      if (name === null) continue;
      const own = textOf(tree, name);
      found.set(own, found.has(own) ? null : { tree, node: value ?? node });
    }
  }
  return found;
}

type Find = (tree: SourceTree, name: string) => Definition | null;

function finderOf(project: Project, running: readonly SourceTree[]): Find {
  if (project.python.size > 0) {
    const { find } = functionFinder(project.python);
    return (tree, name) => {
      const names = project.python.get(tree.path);
      const found = names === undefined ? null : find(names, name);
      return found === null ? null : { tree: found.names.tree, node: found.definition };
    };
  }
  const all = definitions(running);
  return (_, name) => all.get(name.split(/\.|::/).at(-1)!) ?? null;
}

/** A function that collects what runs; results are kept, since tools share helpers. */
export function createReached(project: Project, running: readonly SourceTree[]): ReachedCalls {
  const find = finderOf(project, running);
  const own = new WeakMap<SyntaxNode, { node: SyntaxNode; name: string }[]>();

  function callsOf(tree: SourceTree, body: SyntaxNode): { node: SyntaxNode; name: string }[] {
    const known = own.get(body);
    if (known !== undefined) return known;
    const names = project.python.get(tree.path);
    const found: { node: SyntaxNode; name: string }[] = [];
    for (const node of walk(body, CALLS)) {
      const callee = child(node, "function") ?? child(node, "constructor");
      if (callee === null) continue;
      const name = names === undefined ? written(tree, callee) : pythonName(names, callee);
      found.push({ node, name });
    }
    own.set(body, found);
    return found;
  }

  return (tree, body) => {
    const calls: ReachedCall[] = [];
    const seen = new Set<SyntaxNode>([body]);
    const waiting = [{ tree, node: body, depth: 0 }];
    for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
      for (const { node, name } of callsOf(at.tree, at.node)) {
        if (calls.length === MAX_CALLS) return calls;
        calls.push({ tree: at.tree, node, name, depth: at.depth });
        if (at.depth === MAX_DEPTH || seen.size > MAX_FUNCTIONS) continue;
        const target = find(at.tree, name);
        if (target === null || seen.has(target.node)) continue;
        seen.add(target.node);
        waiting.push({ ...target, depth: at.depth + 1 });
      }
    }
    return calls;
  };
}
