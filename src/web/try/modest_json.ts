/**
 * Which answers of a stranger's program are parsed and shown by this process.
 *
 * @module
 */
import { isModestJson } from "../../../workers/wire/modest_json.ts";
import { parseExact } from "../../protocol/raw_json.ts";

const BOUNDS = { values: 50_000, depth: 64 };

/** Whether `json` has few values and nests little. */
export function isModest(json: string): boolean {
  return isModestJson(new TextEncoder().encode(json), BOUNDS);
}

/** The value of `json`; undefined where it is none, or not modest. */
export function modestValue(json: string): unknown {
  if (!isModest(json)) return undefined;
  try {
    return parseExact(json);
  } catch {
    return undefined;
  }
}
