/**
 * A source file ready for rules: text, tree, lines.
 *
 * @module
 */
import type { Source } from "../sources.ts";
import { parsePython } from "../python/parse.ts";
import { decodeSource, lineFinder, MAX_SOURCE_BYTES } from "../text.ts";
import { type FlatReader, flatReader, type FlatTree } from "./flat_tree.ts";
import { rootOf } from "./nodes.ts";
import { type Grammar, grammarFor } from "./parser.ts";
import type { SyntaxNode } from "./tree.ts";

/** A parsed file as threads pass it on. */
export interface ParsedSource {
  path: string;
  grammar: Grammar;
  role: Source["role"];
  text: string;
  flat: FlatTree;
  /** The bytes were not what source should be: not valid text, or with NUL characters. */
  odd: boolean;
  /** Python that no interpreter compiles, so that it cannot run: its tree is a guess. */
  broken: boolean;
}

/** A parsed file as rules see it. */
export interface SourceTree extends Omit<ParsedSource, "flat"> {
  /**
   * The root of the tree. As long as anybody has a node of it, it is the same; after that its memory
   * is given back, and the tree is made anew when it is asked for.
   */
  readonly root: SyntaxNode;
  /** What it was made of. */
  readonly parsed: ParsedSource;
  /** The same tree without objects. */
  readonly flat: FlatReader;
  /** Line (from 1) of an offset. */
  lineAt(offset: number): number;
}

/** Parses a file; a string says why it cannot be analysed. */
export async function parseSource(source: Source): Promise<ParsedSource | string> {
  const { path, grammar, role, bytes } = source;
  if (bytes.length > MAX_SOURCE_BYTES) {
    return `larger than ${MAX_SOURCE_BYTES / 1024 / 1024} MiB`;
  }
  if (grammar === "python") {
    const parsed = await parsePython(bytes);
    return typeof parsed === "string" ? parsed : { path, grammar, role, odd: false, ...parsed };
  }
  const { text, invalid, nul } = decodeSource(bytes);
  const parsed = (await grammarFor(grammar)).parse(text);
  if (parsed.kind === "refused") return parsed.reason;
  return { path, grammar, role, text, flat: parsed.tree, odd: invalid || nul, broken: false };
}

/** A root that is made when it is asked for, and given back when nobody has a node of it. */
function lent(make: () => SyntaxNode): () => SyntaxNode {
  let lent: WeakRef<SyntaxNode> | undefined;
  return () => {
    // Whoever has a node has the root, through the parents.
    let root = lent?.deref();
    if (root === undefined) {
      root = make();
      lent = new WeakRef(root);
    }
    return root;
  };
}

/** A root that is made once. */
function held(make: () => SyntaxNode): () => SyntaxNode {
  let root: SyntaxNode | undefined;
  return () => root ??= make();
}

/**
 * A parsed file, with a tree. That of a file which is looked at once is `held` with it: weak
 * references cost time.
 */
export async function sourceTree(
  parsed: ParsedSource,
  keeping: "lent" | "held" = "lent",
): Promise<SourceTree> {
  const { flat, ...file } = parsed;
  const { kinds } = await grammarFor(file.grammar);
  const root = (keeping === "lent" ? lent : held)(() => rootOf(flat, kinds));
  let lineAt: SourceTree["lineAt"] | undefined;
  return {
    ...file,
    parsed,
    flat: flatReader(flat, kinds),
    get root() {
      return root();
    },
    lineAt: (offset) => (lineAt ??= lineFinder(file.text))(offset),
  };
}

/** Parses a file and gives its tree; a string says why it cannot be analysed. */
export async function treeOf(source: Source): Promise<SourceTree | string> {
  const parsed = await parseSource(source);
  return typeof parsed === "string" ? parsed : await sourceTree(parsed, "held");
}

export function textOf(tree: { text: string }, node: SyntaxNode): string {
  return tree.text.slice(node.start, node.end);
}
