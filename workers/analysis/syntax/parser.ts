/**
 * Tree-sitter for the five languages.
 *
 * @module
 */
import { readFile } from "node:fs/promises";
import { Language, Parser } from "web-tree-sitter";
import { computedFor } from "./cpu_time.ts";
import { loadEngine } from "./engine.ts";
import { flatten, type Flattened } from "./flat_tree.ts";
import { fieldOfKind, type Kind, type Kinds, typeOfKind } from "./kinds.ts";

export type Grammar = "python" | "javascript" | "typescript" | "tsx" | "go" | "rust";

/** A tree, or why there is none. `flawed`: parts of the text were left out, or made up. */
export type Parsed = Flattened & { flawed: boolean };

export interface LoadedGrammar {
  /** Parses text within bounds of time, depth and size. */
  parse(text: string): Parsed;
  /** What the kinds of its trees are. They have the same numbers in every thread. */
  kinds: Kinds;
}

/** CPU time that a parse may take. */
const PARSE_MS = 5000;
const grammars = new Map<Grammar, Promise<LoadedGrammar>>();

/** The same text as the engine keeps those in source: two of these are compared by their address. */
function interned(text: string): string {
  return Object.keys({ [text]: true })[0]!;
}

function kindsOf(language: Language): Kinds {
  const known = new Map<number, Kind>();
  return (number) => {
    let kind = known.get(number);
    if (kind === undefined) {
      const type = typeOfKind(number);
      const field = language.fields[fieldOfKind(number)] ?? null;
      kind = {
        type: interned(language.types[type] || "ERROR"),
        field: field === null ? null : interned(field),
        named: language.nodeTypeIsNamed(type),
      };
      known.set(number, kind);
    }
    return kind;
  };
}

async function load(grammar: Grammar): Promise<LoadedGrammar> {
  const cursor = await loadEngine();
  const folder = import.meta.resolve("@vscode/tree-sitter-wasm/package.json");
  const file = new URL(`wasm/tree-sitter-${grammar}.wasm`, folder);
  const parser = new Parser();
  const language = await Language.load(await readFile(file));
  parser.setLanguage(language);
  const kinds = kindsOf(language);
  return {
    kinds,
    parse(text) {
      const progressCallback = computedFor(PARSE_MS);
      const tree = parser.parse(text, null, { progressCallback });
      if (tree === null) {
        parser.reset();
        const reason = `parsing took longer than ${PARSE_MS / 1000} s`;
        return { kind: "refused", reason, flawed: true };
      }
      const flawed = tree.rootNode.hasError;
      cursor.enter(tree);
      try {
        return { ...flatten(cursor, kinds), flawed };
      } finally {
        cursor.leave();
        tree.delete();
      }
    },
  };
}

/** The grammar, loaded when it is first asked for. */
export function grammarFor(grammar: Grammar): Promise<LoadedGrammar> {
  let loading = grammars.get(grammar);
  if (loading === undefined) grammars.set(grammar, loading = load(grammar));
  return loading;
}
