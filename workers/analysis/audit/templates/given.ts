/**
 * Modules and functions that run programs, handed to templates.
 *
 * @module
 */
import type { RawFinding } from "../../finding.ts";
import { calleeOf } from "../../python/calls/callee.ts";
import { type PythonNames, resolve } from "../../python/names.ts";
import { isDangerous } from "../../python/calls/sinks.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child, named, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { report, rule } from "../rule.ts";

/** What runs programs is in the hands of templates. */
export const GIVEN = rule(
  "py/template-given-module",
  "high",
  1336,
  "Pass templates only the function or value that they need",
);

const VALUES = nodeTypes("keyword_argument", "pair", "assignment", "dictionary_splat");
const GRAVE = /^(os|subprocess|builtins|importlib|pty|posix|ctypes|runpy|__builtins__)$/;
/** Where what a template may use is handed to it. */
const HANDS_OVER =
  /(^|\.)(render|render_async|generate|stream|get_template|render_template(_string)?|TemplateResponse|make_module|template)$|\b(globals|filters|tests|context)\b|Environment$|Template$/;

/** What the node is handed to: the target of an assignment, or the function that is called. */
function holderOf(names: PythonNames, node: SyntaxNode): string {
  const left = node.type === "assignment" ? child(node, "left") : null;
  if (left !== null) return left.type === "subscript" ? textOf(names.tree, left) : "";
  for (let up = node.parent; up !== null; up = up.parent) {
    if (/statement$|^(assignment|module|block)$/.test(up.type)) break;
    if (up.type !== "call") continue;
    const around = textOf(names.tree, child(up, "function")!);
    if (HANDS_OVER.test(around)) return around;
  }
  return "";
}

function ofValue(names: PythonNames, node: SyntaxNode): RawFinding | null {
  const value = node.type === "dictionary_splat"
    ? named(node)[0] ?? null
    : child(node, node.type === "assignment" ? "right" : "value");
  if (value === null) return null;
  if (node.type === "dictionary_splat") {
    const isAll = textOf(names.tree, value) === "globals()" &&
      HANDS_OVER.test(holderOf(names, node));
    return isAll
      ? report(GIVEN, names.tree, node, "All names of the module are passed to templates")
      : null;
  }
  if (!/^(identifier|attribute)$/.test(value.type)) return null;
  const meant = resolve(names, value) ?? "";
  const isModule = GRAVE.test(meant) && names.bindings.has(textOf(names.tree, value));
  // A table with a module in it is there to be handed on.
  if (isModule && node.type === "pair" || HANDS_OVER.test(holderOf(names, node))) {
    const named = calleeOf(names, value)?.name ?? "";
    const runs = /^(getattr|eval|exec|compile|__import__)$/.test(meant);
    return isModule || runs || isDangerous(named)
      ? report(GIVEN, names.tree, node, `${meant} is passed to templates`)
      : null;
  }
  return null;
}

/** Findings of a module that makes templates. */
export function givenToTemplates(names: PythonNames): RawFinding[] {
  return [...walk(names.tree.root, VALUES)].flatMap((node) => ofValue(names, node) ?? []);
}
