/**
 * Size and complexity of a file by SonarQube's definitions: lines of code hold a character that is
 * neither blank nor comment (docstrings are comments here), complexity is cyclomatic.
 *
 * @module
 */
import type { SourceTree } from "../syntax/source_tree.ts";
import { child, named, type SyntaxNode, walk } from "../syntax/tree.ts";

/** A function and its complexity. */
export interface FunctionMeasure {
  function: string;
  line: number;
  complexity: number;
}

/** Measures of one file. */
export interface FileMeasures {
  lines: number;
  ncloc: number;
  complexity: number;
  functions: FunctionMeasure[];
}

const FUNCTIONS = new Set([
  "function_definition", // Python
  "function_declaration",
  "generator_function_declaration",
  "function_expression",
  "arrow_function",
  "method_definition",
  "method_declaration", // Go
  "func_literal",
  "function_item", // Rust
  "closure_expression",
]);

const DECISIONS = new Set([
  "if_statement",
  "elif_clause",
  "if_clause",
  "for_in_clause",
  "for_statement",
  "for_in_statement",
  "while_statement",
  "do_statement",
  "except_clause",
  "except_group_clause",
  "catch_clause",
  "case_clause",
  "switch_case",
  "conditional_expression",
  "ternary_expression",
  "expression_case",
  "type_case",
  "communication_case",
  "if_expression",
  "for_expression",
  "while_expression",
  "loop_expression",
  "match_arm",
]);

const OPERATORS = new Set(["&&", "||", "??", "&&=", "||=", "??=", "and", "or"]);

/** Whether the flow splits here: a last `case _` of Python takes what is left, as an else does. */
function splits(tree: SourceTree, node: SyntaxNode): boolean {
  if (!node.named) return OPERATORS.has(node.type);
  if (!DECISIONS.has(node.type)) return false;
  const patterns = node.children.filter(({ type }) => type === "case_pattern");
  const takesAll = patterns.length === 1 &&
    tree.text.slice(patterns[0]!.start, patterns[0]!.end) === "_";
  return !takesAll;
}

function isComment(node: SyntaxNode): boolean {
  return node.type === "comment" || node.type === "line_comment" || node.type === "block_comment";
}

/** Whether a statement is a Python docstring: a string alone at the head of a body. */
export function isDocstring(node: SyntaxNode): boolean {
  if (node.type !== "expression_statement") return false;
  const parent = node.parent;
  if (parent === null || (parent.type !== "module" && parent.type !== "block")) return false;
  if (parent.children.find((each) => each.named && !isComment(each)) !== node) return false;
  const inside = named(node);
  return inside.length === 1 && inside[0]!.type === "string";
}

function nameOf(tree: SourceTree, node: SyntaxNode): string {
  const own = child(node, "name") ?? (node.parent === null ? null : child(node.parent, "name"));
  return own === null ? "(anonymous)" : tree.text.slice(own.start, own.end).slice(0, 200);
}

/** Parts of a string literal that hold no code. */
const STRING_PART = /^(string|raw_string|interpreted_string)_|^escape_sequence$/;

/** Whether a node is a token as lexers see it: string literals without code in them are one. */
function isToken({ type, children }: SyntaxNode): boolean {
  if (children.length === 0) return true;
  if (!type.includes("string") && type !== "escape_sequence") return false;
  if (STRING_PART.test(type)) return true;
  return /^(string|template_string|.*string_literal)$/.test(type) &&
    children.every((each) => !each.named || STRING_PART.test(each.type));
}

/** The tokens of a file that are code: no comments, no docstrings, string literals whole. */
export function* codeTokens(root: SyntaxNode): Generator<SyntaxNode> {
  const stack = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (isComment(node) || isDocstring(node)) continue;
    if (isToken(node)) {
      if (node.end > node.start) yield node;
      continue;
    }
    for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i]!);
  }
}

function linesOfCode(tree: SourceTree, lines: readonly string[]): number {
  const code = new Set<number>();
  for (const token of codeTokens(tree.root)) {
    const last = tree.lineAt(token.end - 1);
    for (let line = tree.lineAt(token.start); line <= last; line++) {
      if (!code.has(line) && lines[line - 1]!.trim() !== "") code.add(line);
    }
  }
  return code.size;
}

/** Measures a file. */
export function measure(tree: SourceTree): FileMeasures {
  const lines = tree.text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const owner = new Map<SyntaxNode, FunctionMeasure>();
  const functions: FunctionMeasure[] = [];
  let complexity = 0;
  for (const node of walk(tree.root)) {
    // Parents come first, so a node's function is its parent's unless it is one itself.
    const outer = node.parent === null ? undefined : owner.get(node.parent);
    let current = outer;
    if (FUNCTIONS.has(node.type)) {
      current = { function: nameOf(tree, node), line: tree.lineAt(node.start), complexity: 1 };
      functions.push(current);
      complexity++;
    } else if (splits(tree, node)) {
      complexity++;
      if (outer !== undefined) outer.complexity++;
    }
    if (current !== undefined && node.children.length > 0) owner.set(node, current);
  }
  return { lines: lines.length, ncloc: linesOfCode(tree, lines), complexity, functions };
}
