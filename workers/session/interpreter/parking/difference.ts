/**
 * Which pages of an interpreter's memory are not as the snapshots that it began with have them.
 *
 * @module
 */
import type { Library } from "../libraries.ts";
import { isIn, type Layer, PAGE, type Run } from "../snapshot.ts";

const WORDS = PAGE / 4;

function wordsOf(bytes: Uint8Array): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >>> 2);
}

/** Which of `layers` each page comes from: the uppermost that has it; -1: it began as zeros. */
function sourcesOf(pages: number, layers: readonly Layer[]): Int8Array {
  const sources = new Int8Array(pages).fill(-1);
  layers.forEach(({ runs }, number) => {
    for (const { page, pages: count } of runs) sources.fill(number, page, page + count);
  });
  return sources;
}

const ZEROS = new Int32Array(WORDS);

function equals(a: Int32Array, at: number, b: Int32Array, bAt: number): boolean {
  for (let i = 0; i < WORDS; i++) if (a[at + i] !== b[bAt + i]) return false;
  return true;
}

/** The pages that differ, by number. */
function changedPages(memory: Uint8Array, layers: readonly Layer[]): Uint8Array {
  const own = wordsOf(memory);
  const pages = memory.length / PAGE;
  const sources = sourcesOf(pages, layers);
  const changed = new Uint8Array(pages);
  sources.forEach((source, page) => {
    if (source < 0 && !equals(own, page * WORDS, ZEROS, 0)) changed[page] = 1;
  });
  layers.forEach((layer, number) =>
    layer.read((first, bytes) => {
      const words = wordsOf(bytes);
      for (let i = 0; i * WORDS < words.length; i++) {
        const page = first + i;
        if (sources[page] !== number) continue;
        if (!equals(own, page * WORDS, words, i * WORDS)) changed[page] = 1;
      }
    })
  );
  return changed;
}

/**
 * The runs of pages that differ from `layers`, each of which lies over those before it. Pages of the
 * modules in `added` always do: loading them writes there.
 */
export function changedRuns(
  memory: Uint8Array,
  layers: readonly Layer[],
  added: readonly Library[],
): Run[] {
  const runs: Run[] = [];
  changedPages(memory, layers).forEach((isChanged, page) => {
    if (!isChanged && !added.some((library) => isIn(page, library))) return;
    const last = runs.at(-1);
    if (last !== undefined && last.page + last.pages === page) last.pages++;
    else runs.push({ page, pages: 1 });
  });
  return runs;
}
