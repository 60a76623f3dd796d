/**
 * JSON text from a client, parsed within bounds.
 *
 * @module
 */

/** Deepest nesting of arrays and objects that is read. */
export const DEPTH_MAX = 128;

/** The value, or why there is none. */
export type ParsedJson = { ok: true; value: unknown } | { ok: false; reason: string };

const DECODER = new TextDecoder("utf-8", { fatal: true });

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Whether UTF-8 JSON nests deeper than {@link DEPTH_MAX}; what is no JSON may pass. */
function isTooDeep(bytes: Uint8Array): boolean {
  // Each level takes two bytes.
  if (bytes.length <= 2 * DEPTH_MAX) return false;
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (quoted) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) quoted = false;
    } else if (byte === QUOTE) {
      quoted = true;
    } else if (OPENING.has(byte)) {
      depth += 1;
      if (depth > DEPTH_MAX) return true;
    } else if (CLOSING.has(byte)) {
      depth -= 1;
    }
  }
  return false;
}

/** The JSON in `bytes`, which must be UTF-8. Never throws. */
export function parseJson(bytes: Uint8Array): ParsedJson {
  // Before parsing: code behind this one (serialisers, Python) recurses on nesting.
  if (isTooDeep(bytes)) {
    return { ok: false, reason: `The body nests deeper than ${DEPTH_MAX} levels` };
  }
  let text: string;
  try {
    text = DECODER.decode(bytes);
  } catch {
    return { ok: false, reason: "The body is not UTF-8" };
  }
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false, reason: "The body is not JSON" };
  }
}
