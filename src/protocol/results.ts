/**
 * What a tool's result says twice: servers send structured content as text too, for clients that
 * show only that (MCP 2025-11-25, "Structured Content").
 *
 * @module
 */
import { isDeepStrictEqual } from "node:util";

/** `text` as the JSON that it is; the text itself where it is none. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function says(text: string, value: unknown): boolean {
  return text === value || isDeepStrictEqual(valueOf(text), value);
}

/**
 * Whether `texts`, all text blocks of a result, say what its structured content says: as one JSON
 * text, or as the value that SDKs wrap as `result`, lists of which are a block an item.
 */
export function repeatsStructured(texts: readonly string[], structured: unknown): boolean {
  if (texts.length === 1 && says(texts[0]!, structured)) return true;
  if (typeof structured !== "object" || structured === null) return false;
  const { result, ...rest } = structured as Record<string, unknown>;
  if (result === undefined || Object.keys(rest).length > 0) return false;
  if (texts.length === 1 && says(texts[0]!, result)) return true;
  return Array.isArray(result) && result.length === texts.length &&
    texts.every((text, index) => says(text, result[index]));
}
