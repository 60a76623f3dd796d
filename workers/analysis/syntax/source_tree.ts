/**
 * A source file ready for rules: text, tree, lines.
 *
 * @module
 */
import type { Source } from "../sources.ts";
import { decodeSource, lineFinder, MAX_SOURCE_BYTES } from "../text.ts";
import { type Grammar, parserFor } from "./parser.ts";
import type { SyntaxNode } from "./tree.ts";

/** A parsed file. */
export interface SourceTree {
  path: string;
  grammar: Grammar;
  role: Source["role"];
  text: string;
  root: SyntaxNode;
  /** How many nodes the tree has. */
  nodes: number;
  /** Line (from 1) of an offset. */
  lineAt(offset: number): number;
  /** The bytes were not what source should be: not valid text, or with NUL characters. */
  odd: boolean;
}

/** Parses a file; a string says why it cannot be analysed. */
export async function parseSource(source: Source): Promise<SourceTree | string> {
  if (source.bytes.length > MAX_SOURCE_BYTES) {
    return `larger than ${MAX_SOURCE_BYTES / 1024 / 1024} MiB`;
  }
  const { text, invalid, nul } = decodeSource(source.bytes, source.grammar === "python");
  const parsed = (await parserFor(source.grammar))(text);
  if (parsed.kind === "refused") return parsed.reason;
  return {
    path: source.path,
    grammar: source.grammar,
    role: source.role,
    text,
    root: parsed.root,
    nodes: parsed.nodes,
    lineAt: lineFinder(text),
    odd: invalid || nul,
  };
}

/** The text of a node. */
export function textOf(tree: { text: string }, node: SyntaxNode): string {
  return tree.text.slice(node.start, node.end);
}
