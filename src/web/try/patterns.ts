/**
 * Patterns of tools' schemas. They are strangers' regular expressions: matched in linear time, and
 * only so many of so much text. What cannot be checked so is left to the tool.
 *
 * @module
 */
import { RE2JS } from "re2js";

const PATTERN_MAX = 500;
const TEXT_MAX = 4096;

/** Whether `pattern` matches somewhere in `text`; null when that is not found out here. */
export function matches(pattern: string, text: string): boolean | null {
  if (pattern.length > PATTERN_MAX || text.length > TEXT_MAX) return null;
  try {
    const known = pattern.replaceAll(/\\u([0-9a-fA-F]{4})/g, "\\x{$1}");
    return RE2JS.compile(known).matcher(text).find();
  } catch {
    // Lookarounds and back references, which take more than linear time, or no pattern at all.
    return null;
  }
}
