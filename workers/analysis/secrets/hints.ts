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
  const children: Map<number, number>[] = [new Map()];
  const ends: number[][] = [[]];
  for (const [index, word] of unique.entries()) {
    let state = 0;
    for (const character of word) {
      const code = character.charCodeAt(0);
      let child = children[state]!.get(code);
      if (child === undefined) {
        child = children.push(new Map()) - 1;
        ends.push([]);
        children[state]!.set(code, child);
      }
      state = child;
    }
    ends[state]!.push(index);
  }
  const next = complete(children, ends);
  const found = ends.map((list) => list.length > 0);
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
function complete(children: readonly Map<number, number>[], ends: number[][]): Int32Array {
  const next = new Int32Array(children.length * ALPHABET);
  const fallback = new Int32Array(children.length);
  const queue = [0];
  for (let i = 0; i < queue.length; i++) {
    const state = queue[i]!;
    const behind = fallback[state]!;
    const row = state * ALPHABET;
    if (state !== 0) ends[state]!.push(...ends[behind]!);
    next.copyWithin(row, behind * ALPHABET, (behind + 1) * ALPHABET);
    for (const [code, child] of children[state]!) {
      fallback[child] = next[row + code]!;
      next[row + code] = child;
      queue.push(child);
    }
  }
  return next;
}
