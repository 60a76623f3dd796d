/**
 * What a server imports whenever it starts.
 *
 * @module
 */
import { textOf } from "../../syntax/source_tree.ts";
import { ancestor, child, type SyntaxNode } from "../../syntax/tree.ts";
import type { PythonNames } from "../names.ts";

/** No server imports so many packages at its start. */
const MOST = 500;
/** In an `if` of these, which type checkers look into, nothing runs. */
const FOR_CHECKERS = /\bTYPE_CHECKING\b/;

function runsAtStart({ tree }: PythonNames, statement: SyntaxNode): boolean {
  if (ancestor(statement, "function_definition", "lambda") !== null) return false;
  for (
    let each = ancestor(statement, "if_statement");
    each !== null;
    each = ancestor(each, "if_statement")
  ) {
    const condition = child(each, "condition");
    if (condition !== null && FOR_CHECKERS.test(textOf(tree, condition))) return false;
  }
  return true;
}

/** The top-level modules that the statements of `modules` import when they run, in order. */
export function startImports(modules: Iterable<PythonNames>): string[] {
  const found = new Set<string>();
  for (const names of modules) {
    for (const { module, level, node } of names.imports) {
      const [top] = module.split(".", 1);
      if (level > 0 || top === undefined || top === "" || found.has(top)) continue;
      if (runsAtStart(names, names.tree.root.numbered(node))) found.add(top);
    }
  }
  return [...found].sort().slice(0, MOST);
}
