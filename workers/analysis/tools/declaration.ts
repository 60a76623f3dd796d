/**
 * A tool as source declares it, in any language.
 *
 * @module
 */
import type { SourceTree } from "../syntax/source_tree.ts";
import type { SyntaxNode } from "../syntax/tree.ts";

export interface ToolDeclaration {
  name: string;
  tree: SourceTree;
  /** The declaring decorator, call or attribute. */
  node: SyntaxNode;
  /** Whole description as the model gets it, when it is literal. */
  description: string | null;
  /** The function that runs, when it can be told. */
  body: SyntaxNode | null;
  /** The file that the function is in: often another one than that of the declaration. */
  bodyTree: SourceTree;
  signature: string;
  /** The arguments that say what the tool is for (`annotations=…`), when they are there. */
  annotations: SyntaxNode | null;
}

export interface PlacedFunction {
  tree: SourceTree;
  node: SyntaxNode;
}

/** What a file declares, and whether more is declared in ways that only running shows. */
export interface Declarations {
  tools: ToolDeclaration[];
  dynamic: boolean;
}

/** Source on one line, at most `limit` characters. */
export function oneLine(text: string, limit: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}

/** The declaration's text on one line. */
export function declarationText({ tree, node }: ToolDeclaration): string {
  return oneLine(tree.text.slice(node.start, node.end), 200);
}
