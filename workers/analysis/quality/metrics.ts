/**
 * Size and complexity of a file by SonarQube's definitions: lines of code hold a character that is
 * neither blank nor comment (docstrings are comments here), complexity is cyclomatic.
 *
 * @module
 */
import { kindsOfNode, nodeTypes } from "../syntax/node_types.ts";
import type { SourceTree } from "../syntax/source_tree.ts";
import type { CodeTokens } from "./tokens.ts";

export interface FunctionMeasure {
  function: string;
  line: number;
  complexity: number;
}

export interface FileMeasures {
  lines: number;
  ncloc: number;
  complexity: number;
  functions: FunctionMeasure[];
}

const FUNCTIONS = nodeTypes(
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
);

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
/** Where the flow may split. */
const SPLITS = kindsOfNode(({ type, named }) => (named ? DECISIONS : OPERATORS).has(type));
const CASES = nodeTypes("case_clause");
const PATTERNS = nodeTypes("case_pattern");

/** Whether a case splits the flow: a last `case _` of Python takes what is left, as an else does. */
function caseSplits({ text, flat }: SourceTree, node: number): boolean {
  const patterns = flat.children(node).filter(flat.is(PATTERNS));
  const [only] = patterns;
  return patterns.length !== 1 || text.slice(flat.start(only!), flat.end(only!)) !== "_";
}

function nameOf({ text, flat }: SourceTree, node: number, parent: number | undefined): string {
  for (const holder of [node, parent]) {
    if (holder === undefined) continue;
    const own = flat.children(holder).find((each) => flat.kind(each).field === "name");
    if (own !== undefined) return text.slice(flat.start(own), flat.end(own)).slice(0, 200);
  }
  return "(anonymous)";
}

function linesOfCode({ starts, ends }: CodeTokens, lines: readonly string[]): number {
  let found = 0;
  let counted = -1;
  let line = 0;
  let lineEnd = lines[0]?.length ?? 0;
  for (let token = 0; token < starts.length; token++) {
    const last = ends[token]! - 1;
    while (lineEnd < starts[token]! && line < lines.length - 1) {
      lineEnd += lines[++line]!.length + 1;
    }
    // Tokens come in order: each goes on where the one before ended.
    for (;;) {
      if (line > counted && lines[line]!.trim() !== "") found++;
      counted = line;
      if (lineEnd >= last || line === lines.length - 1) break;
      lineEnd += lines[++line]!.length + 1;
    }
  }
  return found;
}

/** Measures a file whose code tokens are these. */
export function measure(tree: SourceTree, tokens: CodeTokens): FileMeasures {
  const { flat } = tree;
  const isFunction = flat.is(FUNCTIONS);
  const maySplit = flat.is(SPLITS);
  const isCase = flat.is(CASES);
  const lines = tree.text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  // Of each level the function and the node that the next nodes are in.
  const owners: (FunctionMeasure | undefined)[] = [];
  const holders: number[] = [];
  const functions: FunctionMeasure[] = [];
  let complexity = 0;
  for (let node = 0; node < flat.count; node++) {
    const depth = flat.depth(node);
    const outer = owners[depth - 1];
    owners[depth] = outer;
    holders[depth] = node;
    if (isFunction(node)) {
      const name = nameOf(tree, node, holders[depth - 1]);
      const own = { function: name, line: tree.lineAt(flat.start(node)), complexity: 1 };
      owners[depth] = own;
      functions.push(own);
      complexity++;
    } else if (maySplit(node) && (!isCase(node) || caseSplits(tree, node))) {
      complexity++;
      if (outer !== undefined) outer.complexity++;
    }
  }
  return { lines: lines.length, ncloc: linesOfCode(tokens, lines), complexity, functions };
}
