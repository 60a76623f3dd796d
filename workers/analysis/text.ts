/**
 * Source bytes as text. Every position in the text is a position in the file, so that findings
 * point where the author sees them.
 *
 * @module
 */

/** A file's text and what was odd about its bytes. */
export interface SourceText {
  text: string;
  /** The bytes are not valid in the declared encoding; they were replaced. */
  invalid: boolean;
  /** NUL characters were there; they were replaced by spaces. */
  nul: boolean;
}

/** Largest source file that is analysed, in bytes. */
export const MAX_SOURCE_BYTES = 1024 * 1024;

const COOKIE = /^[ \t\f]*#.*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)/;

/** The encoding that a Python file declares in its first two lines (PEP 263). */
function declaredEncoding(bytes: Uint8Array): string {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 400));
  for (const line of head.split(/\r\n?|\n/, 2)) {
    const name = COOKIE.exec(line)?.[1];
    if (name !== undefined) return name.replace(/^latin[-_]?1$/i, "iso-8859-1");
    if (!/^[ \t\f]*(#|$)/.test(line)) break;
  }
  return "utf-8";
}

function decoder(label: string): TextDecoder {
  try {
    return new TextDecoder(label, { fatal: true });
  } catch {
    return new TextDecoder("utf-8", { fatal: true });
  }
}

/** Decodes source; `python` reads the encoding that the file declares. */
export function decodeSource(bytes: Uint8Array, python = false): SourceText {
  let text: string;
  let invalid = false;
  try {
    text = decoder(python ? declaredEncoding(bytes) : "utf-8").decode(bytes);
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
