/**
 * Reads the JSON in a frame's body, which may be anything.
 *
 * @module
 */
import { MAX_RESULT_BYTES } from "../../../workers/limits.ts";

// An outcome's own fields come on top of the result.
const MAX_BYTES = MAX_RESULT_BYTES + 1024;
/** Python's own encoder gives up earlier; far deeper values overflow the stack of what reads them. */
const MAX_DEPTH = 1000;

const DECODER = new TextDecoder("utf-8", { fatal: true });

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
// Brackets and braces differ in one bit only.
const OPEN = 0x5b;
const CLOSE = 0x5d;
const BRACE_BIT = 0x20;

/** How deep arrays and objects are nested in JSON text; brackets in strings do not count. */
export function jsonDepth(text: Uint8Array): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const byte = text[i]!;
    if (inString) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) {
      inString = true;
    } else if ((byte & ~BRACE_BIT) === OPEN) {
      deepest = Math.max(deepest, ++depth);
    } else if ((byte & ~BRACE_BIT) === CLOSE) {
      depth--;
    }
  }
  return deepest;
}

/**
 * The value in `body`.
 *
 * @throws {Error} When it is too long, too deep or no JSON: no honest host sends that.
 */
export function bodyJson(body: Uint8Array): unknown {
  if (body.length > MAX_BYTES) throw new Error(`An outcome of ${body.length} bytes`);
  // Each level takes two bytes.
  const depth = body.length > 2 * MAX_DEPTH ? jsonDepth(body) : 0;
  if (depth > MAX_DEPTH) throw new Error(`An outcome nested ${depth} levels deep`);
  return JSON.parse(DECODER.decode(body));
}
