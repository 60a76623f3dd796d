/**
 * What a server imports whenever it starts.
 *
 * @module
 */
import { type SourceTree, textOf } from "../../syntax/source_tree.ts";
import { ancestor, child, type SyntaxNode } from "../../syntax/tree.ts";
import type { PythonNames } from "../names.ts";

/** No server imports so many packages at its start. */
const MOST = 500;
/** Characters of a dotted name that is noted. */
const LONGEST = 200;
/** In an `if` of these, which type checkers look into, nothing runs. */
const FOR_CHECKERS = /\bTYPE_CHECKING\b/;

/** Whether a statement is in an `if` that only type checkers look into. */
export function isForCheckers(tree: SourceTree, statement: SyntaxNode): boolean {
  for (
    let each = ancestor(statement, "if_statement");
    each !== null;
    each = ancestor(each, "if_statement")
  ) {
    const condition = child(each, "condition");
    if (condition !== null && FOR_CHECKERS.test(textOf(tree, condition))) return true;
  }
  return false;
}

function runsAtStart({ tree }: PythonNames, statement: SyntaxNode): boolean {
  return ancestor(statement, "function_definition", "lambda") === null &&
    !isForCheckers(tree, statement);
}

/** What the statements of `modules` import when they run. */
export interface StartImports {
  /** Top-level modules, in order. */
  imports: string[];
  /**
   * Dotted names, in order: modules in packages, or names that a module is asked for, which may be
   * modules.
   */
  modules: string[];
}

/** What a server imports whenever it starts. */
export function startImports(modules: Iterable<PythonNames>): StartImports {
  const found = new Set<string>();
  const dotted = new Set<string>();
  for (const names of modules) {
    for (const { module, level, name, node } of names.imports) {
      const [top] = module.split(".", 1);
      if (level > 0 || top === undefined || top === "") continue;
      const whole = name === null || name === "*" ? module : `${module}.${name}`;
      if (found.has(top) && (whole === top || dotted.has(whole))) continue;
      if (!runsAtStart(names, names.tree.root.numbered(node))) continue;
      found.add(top);
      if (module !== top) dotted.add(module);
      if (whole !== top) dotted.add(whole);
    }
  }
  const first = (all: Set<string>) => [...all].sort().slice(0, MOST);
  const short = [...dotted].filter((each) => each.length <= LONGEST);
  return { imports: first(found), modules: first(new Set(short)) };
}
