/**
 * Which pages of an interpreter's memory are not as the snapshots that it began with have them.
 *
 * @module
 */
import type { Library } from "../libraries.ts";
import { isIn, PAGE, type Snapshot } from "../snapshot.ts";

const WORDS = PAGE / 4;

/** Where each page comes from: its words, and the first of them there. */
function sourcesOf(pages: number, layers: readonly Snapshot[]) {
  const words = layers.map(({ bytes }) =>
    new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >>> 2)
  );
  const layer = new Int8Array(pages).fill(-1);
  const first = new Int32Array(pages);
  layers.forEach(({ runs }, number) => {
    for (const run of runs) {
      for (let i = 0; i < run.pages && run.page + i < pages; i++) {
        layer[run.page + i] = number;
        first[run.page + i] = (run.at + i * PAGE) >>> 2;
      }
    }
  });
  return { words, layer, first };
}

const ZEROS = new Int32Array(WORDS);

function equals(a: Int32Array, at: number, b: Int32Array, bAt: number): boolean {
  for (let i = 0; i < WORDS; i++) if (a[at + i] !== b[bAt + i]) return false;
  return true;
}

/**
 * The runs of pages that differ from `layers`, each of which lies over those before it. Pages of the
 * modules in `added` always do: loading them writes there.
 */
export function changedRuns(
  memory: Uint8Array,
  layers: readonly Snapshot[],
  added: readonly Library[],
): { page: number; pages: number }[] {
  const own = new Int32Array(memory.buffer, memory.byteOffset, memory.byteLength >>> 2);
  const pages = memory.length / PAGE;
  const { words, layer, first } = sourcesOf(pages, layers);
  const runs: { page: number; pages: number }[] = [];
  for (let page = 0; page < pages; page++) {
    const number = layer[page]!;
    const isSame = number < 0
      ? equals(own, page * WORDS, ZEROS, 0)
      : equals(own, page * WORDS, words[number]!, first[page]!);
    if (isSame && !added.some((library) => isIn(page, library))) continue;
    const last = runs.at(-1);
    if (last !== undefined && last.page + last.pages === page) last.pages++;
    else runs.push({ page, pages: 1 });
  }
  return runs;
}
