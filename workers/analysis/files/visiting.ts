/**
 * Looking at all trees, one after the other.
 *
 * @module
 */
import { setImmediate } from "node:timers";
import type { AnalyserInput } from "../analyser.ts";
import type { SourceTree } from "../syntax/source_tree.ts";

/** Characters after which memory of the trees before is given back. */
const PAUSE_AFTER = 200_000;

/**
 * A function to be called after each file. Now and then it lets the event loop turn: what a weak
 * reference gave stays in memory until then.
 */
export function createPauses(): (characters: number) => Promise<void> {
  let looked = 0;
  return async (characters) => {
    looked += characters;
    if (looked < PAUSE_AFTER) return;
    looked = 0;
    await new Promise((resolve) => setImmediate(resolve));
  };
}

/** The trees in order, with pauses. */
export async function* visiting(
  trees: Iterable<SourceTree>,
  input: Pick<AnalyserInput, "begin">,
): AsyncGenerator<SourceTree> {
  const pause = createPauses();
  for (const tree of trees) {
    input.begin(tree.path);
    yield tree;
    await pause(tree.text.length);
  }
  input.begin(null);
}
