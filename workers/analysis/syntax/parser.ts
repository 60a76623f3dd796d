/**
 * Tree-sitter for the five languages.
 *
 * @module
 */
import { readFile } from "node:fs/promises";
import { Language, Parser } from "web-tree-sitter";
import { convert, type Converted, type Kinds } from "./tree.ts";

/** Grammars that are used. */
export type Grammar = "python" | "javascript" | "typescript" | "tsx" | "go" | "rust";

const PARSE_MS = 5000;
const grammars = new Map<Grammar, Promise<{ parser: Parser; kinds: Kinds }>>();
let engine: Promise<void> | undefined;

async function load(grammar: Grammar): Promise<{ parser: Parser; kinds: Kinds }> {
  engine ??= Parser.init();
  await engine;
  const folder = import.meta.resolve("@vscode/tree-sitter-wasm/package.json");
  const file = new URL(`wasm/tree-sitter-${grammar}.wasm`, folder);
  const parser = new Parser();
  parser.setLanguage(await Language.load(await readFile(file)));
  return { parser, kinds: new Map() };
}

/** A function that parses text of that grammar within bounds of time, depth and size. */
export async function parserFor(grammar: Grammar): Promise<(text: string) => Converted> {
  let loading = grammars.get(grammar);
  if (loading === undefined) grammars.set(grammar, loading = load(grammar));
  const { parser, kinds } = await loading;
  return (text) => {
    const until = performance.now() + PARSE_MS;
    const tree = parser.parse(text, null, { progressCallback: () => performance.now() > until });
    if (tree === null) {
      parser.reset();
      return { kind: "refused", reason: `parsing took longer than ${PARSE_MS / 1000} s` };
    }
    const cursor = tree.walk();
    try {
      return convert(cursor, kinds);
    } finally {
      cursor.delete();
      tree.delete();
    }
  };
}
