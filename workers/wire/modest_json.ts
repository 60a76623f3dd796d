/**
 * Whether JSON is small enough to be parsed where others wait. A long text takes no time; many small
 * values, or deep ones, take much of it.
 *
 * @module
 */

/** What JSON may have at most. */
export interface JsonBounds {
  /** Values, over all levels. */
  values: number;
  /** Lists and objects in each other. */
  depth: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** The place behind the text that begins at `at`; the end where it is not closed. */
function pastText(json: Uint8Array, at: number): number {
  for (let end = json.indexOf(QUOTE, at + 1); end >= 0; end = json.indexOf(QUOTE, end + 1)) {
    let escapes = 0;
    while (json[end - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end + 1;
  }
  return json.length;
}

/** Whether `json` (UTF-8) keeps to `bounds`. Its brackets and commas are counted, no more. */
export function isModestJson(json: Uint8Array, bounds: JsonBounds): boolean {
  let values = 1;
  let depth = 0;
  let at = 0;
  while (at < json.length) {
    const byte = json[at]!;
    if (byte === QUOTE) {
      at = pastText(json, at);
      continue;
    }
    if (OPENING.has(byte)) {
      values++;
      if (++depth > bounds.depth) return false;
    } else if (CLOSING.has(byte)) depth--;
    else if (byte === COMMA) values++;
    if (values > bounds.values) return false;
    at++;
  }
  return true;
}
