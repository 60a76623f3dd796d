/**
 * Checks after which a caller's word counts as harmless: a list of allowed values, a pattern, a
 * function whose name says that it checks. Heuristic on purpose: a scan that cries wolf is not read.
 *
 * @module
 */
import { calleeOf } from "../../python/callee.ts";
import { evaluation } from "../../python/evaluation.ts";
import { argumentsOf, type PythonNames } from "../../python/names.ts";
import { isDangerous } from "../../python/sinks.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child, type SyntaxNode, walk } from "../../syntax/tree.ts";

const IDENTIFIERS = nodeTypes("identifier");
const ENDINGS = nodeTypes("raise_statement", "return_statement");
const CHECKING = nodeTypes("if_statement", "call");

const CHECKS =
  /\bnot\s+in\b|\bre\.(full)?match\(|\.(full)?match\(|\.is(alnum|digit|numeric|identifier|alpha)\(|is_relative_to\(|commonpath\(|relative_to\(|\.startswith\(/;
const CHECKER =
  /(^|[._])(is_)?(valid|safe|sanit|escape|clean|secure|check|verify|ensure|allow|permit|guard|normali[sz]e_path|resolve[a-z_]*path)[a-z_]*$/i;

function namesIn(names: PythonNames, node: SyntaxNode): string[] {
  const found: string[] = [];
  for (const each of walk(node, IDENTIFIERS)) found.push(textOf(names.tree, each));
  return found;
}

function ends(body: SyntaxNode | null): boolean {
  if (body === null) return false;
  for (const _ of walk(body, ENDINGS)) return true;
  return false;
}

/** `subprocess.check_output` checks nothing that it is given, nor does what evaluates it. */
function runs(names: PythonNames, call: SyntaxNode, callee: SyntaxNode): boolean {
  const name = calleeOf(names, callee)?.name;
  return isDangerous(name ?? "") ||
    evaluation(names, callee, name, argumentsOf(names.tree, call)) !== null;
}

/** Names that a function checks before it uses them. */
export function guardedNames(names: PythonNames, body: SyntaxNode): Set<string> {
  const guarded = new Set<string>();
  for (const node of walk(body, CHECKING)) {
    if (node.type === "if_statement") {
      const condition = child(node, "condition");
      if (condition === null) continue;
      const text = textOf(names.tree, condition).slice(0, 2000);
      if (CHECKS.test(text) && ends(child(node, "consequence"))) {
        for (const name of namesIn(names, condition)) guarded.add(name);
      }
    } else {
      const callee = child(node, "function");
      const list = child(node, "arguments");
      if (callee === null || list === null) continue;
      if (CHECKER.test(textOf(names.tree, callee).slice(0, 200)) && !runs(names, node, callee)) {
        for (const name of namesIn(names, list)) guarded.add(name);
      }
    }
  }
  return guarded;
}
