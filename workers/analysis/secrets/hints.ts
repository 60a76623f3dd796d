/**
 * Which of many short texts occur in a long one, in one pass (Aho and Corasick). Most files hold
 * none of the prefixes of tokens, and looking for each alone took most of the stage's time.
 *
 * @module
 */

const ALPHABET = 128;

/** Finds which of `words` (ASCII) occur in a text. */
export function hintFinder(words: Iterable<string>): (text: string) => ReadonlySet<string> {
  const unique = [...new Set(words)];
  const size = unique.reduce((sum, word) => sum + word.length, 1);
  const next = new Int32Array(size * ALPHABET).fill(-1);
  const ends: number[][] = Array.from({ length: size }, () => []);
  let states = 1;
  for (const [index, word] of unique.entries()) {
    let state = 0;
    for (const character of word) {
      const at = state * ALPHABET + character.charCodeAt(0);
      if (next[at]! < 0) next[at] = states++;
      state = next[at]!;
    }
    ends[state]!.push(index);
  }
  complete(next, ends);
  const found = ends.slice(0, states).map((list) => list.length > 0);
  return (text) => {
    const present = new Set<string>();
    let state = 0;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      state = code < ALPHABET ? next[state * ALPHABET + code]! : 0;
      if (found[state]) { for (const index of ends[state]!) present.add(unique[index]!); }
    }
    return present;
  };
}

/** Turns the tree into an automaton: where a text leaves it, it goes on at the longest ending. */
function complete(next: Int32Array, ends: number[][]): void {
  const fallback = new Int32Array(ends.length);
  const queue: number[] = [];
  for (let code = 0; code < ALPHABET; code++) {
    if (next[code]! < 0) next[code] = 0;
    else queue.push(next[code]!);
  }
  for (let i = 0; i < queue.length; i++) {
    const state = queue[i]!;
    const behind = fallback[state]!;
    ends[state]!.push(...ends[behind]!);
    for (let code = 0; code < ALPHABET; code++) {
      const at = state * ALPHABET + code;
      const elsewhere = next[behind * ALPHABET + code]!;
      if (next[at]! < 0) next[at] = elsewhere;
      else {
        fallback[next[at]!] = elsewhere;
        queue.push(next[at]!);
      }
    }
  }
}
