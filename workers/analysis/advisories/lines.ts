/**
 * Lines of requirements whose readers know only what is written there.
 *
 * @module
 */
import type { SourceFiles } from "../analyser.ts";
import { decodeManifest } from "../manifests/text.ts";
import { lineFinder as linesOf } from "../text.ts";

/**
 * Characters that are searched in all. A lock file of 2 MB with 1,000 flaws takes half of it; what
 * is beyond has no line.
 */
const MAX_SEARCHED = 4_000_000_000;

interface Searched {
  text: string;
  lineAt: (offset: number) => number;
  known: Map<string, number | null>;
}

/** A function that gives the line (from 1) of the first place with a text in a file, or null. */
export function lineFinder(
  files: SourceFiles,
  most = MAX_SEARCHED,
): (file: string, find: string) => number | null {
  const opened = new Map<string, Searched>();
  let left = most;

  function open(file: string): Searched {
    const text = decodeManifest(files.get(file) ?? new Uint8Array());
    const searched = { text, lineAt: linesOf(text), known: new Map() };
    opened.set(file, searched);
    return searched;
  }

  return (file, find) => {
    const { text, lineAt, known } = opened.get(file) ?? open(file);
    const before = known.get(find);
    if (before !== undefined) return before;
    if (left <= 0) return null;
    const at = text.indexOf(find);
    left -= at < 0 ? text.length : at;
    const line = at < 0 ? null : lineAt(at);
    known.set(find, line);
    return line;
  };
}
