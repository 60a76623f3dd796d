/**
 * Whether JSON of a stranger's program is small enough to be parsed and shown in this process. A long
 * text takes no time; many small values, or deep ones, take much of it.
 *
 * @module
 */

/** Values, over all levels. */
const VALUES_MAX = 50_000;
const DEPTH_MAX = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The place behind the text that begins at `at`; the end where it is not closed. */
function pastText(json: string, at: number): number {
  for (let end = json.indexOf('"', at + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let escapes = 0;
    while (json.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end + 1;
  }
  return json.length;
}

/** Whether `json` has few values and nests little. Its brackets and commas are counted, no more. */
export function isModest(json: string): boolean {
  let values = 1;
  let depth = 0;
  let at = 0;
  while (at < json.length) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      at = pastText(json, at);
      continue;
    }
    // [ and {, ] and }, and commas.
    if (code === 0x5b || code === 0x7b) {
      values++;
      if (++depth > DEPTH_MAX) return false;
    } else if (code === 0x5d || code === 0x7d) depth--;
    else if (code === 0x2c) values++;
    if (values > VALUES_MAX) return false;
    at++;
  }
  return true;
}
