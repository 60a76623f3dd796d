/**
 * The analyser that finds a repository's icon and draws it anew. Nothing of the author's file goes on:
 * the service gets plain pixels, and writes the image itself.
 *
 * @module
 */
import type { AnalyserInput } from "../analyser.ts";
import { candidatesIn } from "./candidates.ts";
import { drawIcon } from "./draw.ts";

/** What the analyser gives: RGBA in base64; null where there is no icon that can be drawn. */
export interface IconResult {
  rgba: string | null;
}

/** Files that are tried, the likeliest first. */
const TRIED = 4;

/** Draws the first icon that can be drawn. */
export async function analyse(input: AnalyserInput): Promise<IconResult> {
  for (const { file, bytes } of candidatesIn(input.files).slice(0, TRIED)) {
    input.begin(file);
    try {
      const pixels = await drawIcon(bytes);
      if (pixels !== null) return { rgba: pixels.toBase64() };
    } catch {
      // Broken, or of a kind that the engine does not know: the next one may do.
    }
  }
  return { rgba: null };
}
