/**
 * Duplicated lines by SonarQube's definition for all languages but Java: at least 100 successive
 * equal tokens that spread over at least 10 lines. A rolling hash finds candidates, comparison
 * decides.
 *
 * @module
 */
import type { SourceTree } from "../syntax/source_tree.ts";
import type { CodeTokens } from "./tokens.ts";

/** Tokens in a row that make a duplicate. */
export const MIN_TOKENS = 100;
/** Lines that a duplicate must reach over. */
export const MIN_LINES = 10;

interface Tokens {
  ids: Uint32Array;
  lines: Uint32Array;
  duplicated: Set<number>;
}

/** The code tokens of a file, in order. */
export interface FileTokens {
  /** The different texts of tokens. */
  texts: string[];
  /** For each token the place of its text. */
  words: Uint32Array;
  /** For each token its line. */
  lines: Uint32Array;
}

/** The texts and lines of a file's tokens. */
export function tokensOf(tree: SourceTree, { starts, ends }: CodeTokens): FileTokens {
  const known = new Map<string, number>();
  const words = new Uint32Array(starts.length);
  const lines = new Uint32Array(starts.length);
  let line = 1;
  let lineEnd = tree.text.indexOf("\n");
  for (let token = 0; token < starts.length; token++) {
    const text = tree.text.slice(starts[token], ends[token]);
    let word = known.get(text);
    if (word === undefined) known.set(text, word = known.size);
    words[token] = word;
    while (lineEnd >= 0 && lineEnd < starts[token]!) {
      line++;
      lineEnd = tree.text.indexOf("\n", lineEnd + 1);
    }
    lines[token] = line;
  }
  return { texts: [...known.keys()], words, lines };
}

/** Collects files, then says how many lines occur elsewhere too. */
export interface Duplication {
  add(tokens: FileTokens): void;
  /** Lines that are part of a duplicate, over all files. */
  duplicatedLines(): number;
}

const BASE = 0x01000193;
/** Spreads hashes over a table (Fibonacci hashing, 2 to the 32nd over the golden ratio). */
const SPREAD = 0x9e3779b1;

/**
 * Marks what is the same from `i` in `a` and `j` in `b` on; returns how many tokens were compared
 * with success, which the search then skips (so that it stays linear on one endless line).
 */
function markRun(a: Tokens, i: number, b: Tokens, j: number): number {
  let length = 0;
  // Within one file the two must not overlap, or a long table would be a copy of itself.
  const limit = a === b ? Math.abs(i - j) : Infinity;
  while (
    length < limit && i + length < a.ids.length && j + length < b.ids.length &&
    a.ids[i + length] === b.ids[j + length]
  ) length++;
  if (length < MIN_TOKENS) return 0;
  for (const [tokens, from] of [[a, i], [b, j]] as const) {
    if (tokens.lines[from + length - 1]! - tokens.lines[from]! + 1 < MIN_LINES) return length;
  }
  for (const [tokens, from] of [[a, i], [b, j]] as const) {
    const last = tokens.lines[from + length - 1]!;
    for (let line = tokens.lines[from]!; line <= last; line++) tokens.duplicated.add(line);
  }
  return length;
}

/**
 * Where each hash came first, for at most `count` places. Millions of them fit into plain numbers
 * where a map of objects would take a gigabyte.
 */
function firstPlaces(count: number) {
  const size = 2 ** Math.ceil(Math.log2(1.35 * count + 2));
  const hashes = new Int32Array(size);
  // Places count from 1, so that 0 is an empty slot.
  const places = new Uint32Array(size);
  return {
    /** Remembers a place; gives the first with this hash, or -1 when this is it. */
    put(hash: number, place: number): number {
      let slot = Math.imul(hash, SPREAD) >>> 0 & size - 1;
      while (places[slot] !== 0 && hashes[slot] !== hash) slot = slot + 1 & size - 1;
      if (places[slot] !== 0) return places[slot]! - 1;
      hashes[slot] = hash;
      places[slot] = place + 1;
      return -1;
    },
  };
}

/** Index of the last of the rising `starts` that is not after `place`. */
function indexOf(starts: readonly number[], place: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= place) low = middle;
    else high = middle;
  }
  return low;
}

/** An empty collection. */
export function createDuplication(): Duplication {
  const vocabulary = new Map<string, number>();
  const files: Tokens[] = [];

  function search(): void {
    // A place is how many tokens come before it, over all files.
    const starts: number[] = [];
    let count = 0;
    for (const { ids } of files) {
      starts.push(count);
      count += ids.length;
    }
    const seen = firstPlaces(count);
    let power = 1;
    for (let i = 1; i < MIN_TOKENS; i++) power = Math.imul(power, BASE);
    for (const [file, tokens] of files.entries()) {
      const { ids } = tokens;
      let hash = 0;
      let skipUntil = 0;
      for (let end = 0; end < ids.length; end++) {
        const leaving = end - MIN_TOKENS;
        if (leaving >= 0) hash = hash - Math.imul(ids[leaving]!, power) | 0;
        hash = Math.imul(hash, BASE) + ids[end]! | 0;
        const at = end - MIN_TOKENS + 1;
        if (at < 0) continue;
        const first = seen.put(hash, starts[file]! + at);
        if (first < 0 || at < skipUntil) continue;
        const other = indexOf(starts, first);
        const length = markRun(tokens, at, files[other]!, first - starts[other]!);
        // Another duplicate may begin before the end of this one.
        skipUntil = at - MIN_TOKENS + 1 + length;
      }
    }
  }

  return {
    add({ texts, words, lines }) {
      const known = texts.map((text) => {
        let id = vocabulary.get(text);
        if (id === undefined) vocabulary.set(text, id = vocabulary.size + 1);
        return id;
      });
      const ids = new Uint32Array(words.length);
      for (let token = 0; token < words.length; token++) ids[token] = known[words[token]!]!;
      files.push({ ids, lines, duplicated: new Set() });
    },
    duplicatedLines() {
      search();
      return files.reduce((sum, { duplicated }) => sum + duplicated.size, 0);
    },
  };
}
