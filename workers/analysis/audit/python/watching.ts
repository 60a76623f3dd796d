/**
 * Functions that are put where they see what others do, and tell another machine of it: in the place of
 * a library's own, or as listeners for keys, frames and events of the interpreter.
 *
 * @module
 */
import type { RawFinding } from "../../finding.ts";
import { calleeOf } from "../../python/calls/callee.ts";
import { sinkOf } from "../../python/calls/sinks.ts";
import { argumentsOf, firstPart, type PythonNames, resolve } from "../../python/names.ts";
import type { ModuleNodes } from "../../python/reach/module_nodes.ts";
import { stringValue } from "../../python/values/literals.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { destinationsIn, textsOf } from "../keys/destinations.ts";
import { report, type Rule, rule } from "../rule.ts";

const WATCHING = rule(
  "py/watching",
  "high",
  506,
  "Remove it: a server has no reason to tell another machine what other code, or its user, does",
);

/** Every rule of this module. */
export const WATCHING_RULES: readonly Rule[] = [WATCHING];

const ASSIGNMENTS = nodeTypes("assignment");
const CALLS = nodeTypes("call");
const LISTENS =
  /^(pynput\.(keyboard|mouse)\.\w+|keyboard\.(hook|on_press|on_release|hook_key)|sys\.(settrace|setprofile|addaudithook)|threading\.(settrace|setprofile)(_all_threads)?|win32clipboard\.\w+)$/;
/** A module without any of these words puts nothing in such a place. */
const WORDS = /pynput|keyboard|settrace|setprofile|addaudithook/;

/** The host that a function of the module sends something to; null when it sends nothing. */
function hostOf(names: PythonNames, given: SyntaxNode): string | null {
  const definition = given.type === "lambda"
    ? given
    : given.type === "identifier"
    ? names.functions.get(textOf(names.tree, given))
    : undefined;
  if (definition === undefined) return null;
  for (const node of walk(definition, CALLS)) {
    const callee = calleeOf(names, child(node, "function") ?? node);
    if (callee === null || sinkOf(callee.name) !== "request") continue;
    const { positional, keywords } = argumentsOf(names.tree, node);
    const all = [...positional, ...keywords.values()];
    const [found] = destinationsIn(all.flatMap((each) => textsOf(names, each)));
    if (found !== undefined) return found.host;
  }
  return null;
}

/** What an assignment replaces of another module, or of a built-in. */
function replaced(names: PythonNames, target: SyntaxNode): string | null {
  const meant = target.type === "attribute" ? resolve(names, target) : null;
  if (meant === null) return null;
  const head = firstPart(textOf(names.tree, target));
  return names.bindings.has(head) || /^(builtins|__builtins__)\./.test(meant) ? meant : null;
}

function ofAssignment(names: PythonNames, node: SyntaxNode): RawFinding | null {
  const left = child(node, "left");
  const right = child(node, "right");
  const name = left === null ? null : replaced(names, left);
  const host = name === null || right === null ? null : hostOf(names, right);
  if (host === null) return null;
  const title = `${name} is replaced by a function that sends to ${host}`;
  return report(WATCHING, names.tree, node, title);
}

function ofCall(names: PythonNames, node: SyntaxNode): RawFinding | null {
  const { positional, keywords } = argumentsOf(names.tree, node);
  const name = calleeOf(names, child(node, "function") ?? node)?.name ?? "";
  if (name === "setattr") {
    const [holder, key, value] = positional;
    const of = holder === undefined ? null : resolve(names, holder);
    const attribute = key === undefined ? null : stringValue(names.tree.text, key);
    const host = value === undefined ? null : hostOf(names, value);
    if (of === null || attribute === null || host === null) return null;
    if (!names.bindings.has(firstPart(textOf(names.tree, holder!)))) return null;
    const title = `${of}.${attribute} is replaced by a function that sends to ${host}`;
    return report(WATCHING, names.tree, node, title);
  }
  if (!LISTENS.test(name)) return null;
  for (const each of [...positional, ...keywords.values()]) {
    const host = hostOf(names, each);
    if (host === null) continue;
    const title = `What ${name} hears is sent to ${host}`;
    return report(WATCHING, names.tree, node, title);
  }
  return null;
}

/** Findings of a module. */
export function pythonWatching(names: PythonNames, nodes: ModuleNodes): RawFinding[] {
  const { text, root } = names.tree;
  const assigned = /^[ \t]*\w+\.[\w.]+\s*=[^=]/m.test(text)
    ? [...walk(root, ASSIGNMENTS)].map((node) => ofAssignment(names, node))
    : [];
  const called = WORDS.test(text) || text.includes("setattr")
    ? nodes.calls.map(({ node }) => ofCall(names, node))
    : [];
  return [...assigned, ...called].filter((each) => each !== null);
}
