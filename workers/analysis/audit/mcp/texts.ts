/**
 * Everything of a tool's declaration that reaches the model.
 *
 * @module
 */
import { stringValue as javascriptString } from "../../javascript/literals.ts";
import { stringValue as pythonString } from "../../python/values/literals.ts";
import type { SourceTree } from "../../syntax/source_tree.ts";
import type { SyntaxNode } from "../../syntax/tree.ts";
import { child, walk } from "../../syntax/tree.ts";
import { goString } from "../../tools/go.ts";
import { rustString } from "../../tools/rust.ts";
import type { ToolDeclaration } from "../../tools/declaration.ts";

type ReadString = (text: string, node: SyntaxNode) => string | null;

const READERS: Record<string, ReadString> = {
  python: pythonString,
  javascript: javascriptString,
  typescript: javascriptString,
  tsx: javascriptString,
  go: goString,
  rust: rustString,
};

const MAX_TEXTS = 500;
const FUNCTIONS =
  /^(arrow_function|function_expression|function_definition|method_definition|func_literal|closure_expression|block|statement_block)$/;

/** Literal strings below a node, function bodies left out. */
function literals(tree: SourceTree, from: SyntaxNode | null): string[] {
  if (from === null) return [];
  const read = READERS[tree.grammar];
  const found: string[] = [];
  const skipped = new Set<SyntaxNode>();
  for (const node of walk(from)) {
    if (node !== from && (FUNCTIONS.test(node.type) || (node.parent && skipped.has(node.parent)))) {
      skipped.add(node);
      continue;
    }
    const value = read?.(tree.text, node) ?? null;
    if (value !== null) found.push(value);
    if (found.length >= MAX_TEXTS) break;
  }
  return found;
}

/** Description and every literal of declaration and parameters (schemas, defaults, titles). */
export function modelTexts(tool: ToolDeclaration): string[] {
  const parameters = tool.body === null ? null : child(tool.body, "parameters");
  return [
    ...(tool.description === null ? [] : [tool.description]),
    ...literals(tool.tree, tool.node),
    ...literals(tool.bodyTree, parameters),
  ];
}
