/**
 * JSON text from a client, read within bounds.
 *
 * @module
 */
import type { JsonFault } from "./json_check.ts";
import { RawJson } from "./raw_json.ts";

/** Deepest nesting of arrays and objects that is read: Python recurses on nesting. */
export const DEPTH_MAX = 128;

/** The value, or why there is none. */
export type ParsedJson = { ok: true; value: RawJson } | { ok: false; reason: string };

const REASONS: Record<JsonFault, string> = {
  depth: `The body nests deeper than ${DEPTH_MAX} levels`,
  encoding: "The body is not UTF-8",
  syntax: "The body is not JSON",
  line_end: "The body is not JSON",
};

/** A mark of UTF-8 that some clients begin with; it is no part of the text. */
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** The JSON in `bytes`, which must be UTF-8. Never throws. */
export async function parseJson(bytes: Uint8Array): Promise<ParsedJson> {
  const isMarked = BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte);
  const text = isMarked ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
  const value = await RawJson.readInTurns(text, { depth: DEPTH_MAX, lineEnds: true });
  return value instanceof RawJson ? { ok: true, value } : { ok: false, reason: REASONS[value] };
}
