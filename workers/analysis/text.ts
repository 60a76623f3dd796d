/**
 * Source bytes as text. Every position in the text is a position in the file, so that findings
 * point where the author sees them.
 *
 * @module
 */

/** A file's text and what was odd about its bytes. */
export interface SourceText {
  text: string;
  /** The bytes are not UTF-8; they were replaced. */
  invalid: boolean;
  /** NUL characters were there; they were replaced by spaces. */
  nul: boolean;
}

/** Largest source file that is analysed, in bytes. */
export const MAX_SOURCE_BYTES = 1024 * 1024;

/** Decodes source of a language whose files are UTF-8. */
export function decodeSource(bytes: Uint8Array): SourceText {
  let text: string;
  let invalid = false;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    text = new TextDecoder().decode(bytes);
    invalid = true;
  }
  const nul = text.includes("\0");
  return { text: nul ? text.replaceAll("\0", " ") : text, invalid, nul };
}

/** Finds the line (from 1) of an offset in `text` by binary search. */
export function lineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
