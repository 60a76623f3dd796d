/**
 * Patterns of tools' schemas. They are strangers' regular expressions: matched in linear time, and
 * only so many of so much text. What cannot be checked so is left to the tool.
 *
 * @module
 */
import { RE2JS } from "re2js";

const PATTERN_MAX = 500;
const TEXT_MAX = 4096;
/** States that a pattern may become: repeats are written out. */
const STATES_MAX = 10_000;

/** What compiling a state takes, where matching it against a character takes 1. */
const PLAIN_COST = 20;
/** The same with classes of Unicode: they have thousands of parts. */
const WIDE_COST = 250;
const WIDE = /\\[pP]|\(\?\w*i/;

const REPEAT = /(\)?)\{(\d+)(?:,(\d*))?\}/g;

/** At least how many states a pattern becomes: repeated groups multiply. */
export function statesOf(pattern: string): number {
  let single = pattern.length;
  let groups = 1;
  for (const [, group, least, most] of pattern.matchAll(REPEAT)) {
    const times = Math.max(Number(least), Number(most || 0), 1);
    if (group === "") single += times;
    else groups *= times;
  }
  return single * groups;
}

/**
 * Whether `pattern` matches somewhere in `text`; null when that is not found out here.
 *
 * @param afford Asked before each part of the work, with its size; false ends it.
 */
export function matches(
  pattern: string,
  text: string,
  afford: (work: number) => boolean = () => true,
): boolean | null {
  if (pattern.length > PATTERN_MAX || text.length > TEXT_MAX) return null;
  const states = statesOf(pattern);
  const compiling = states * (WIDE.test(pattern) ? WIDE_COST : PLAIN_COST);
  if (states > STATES_MAX || !afford(compiling)) return null;
  try {
    const known = pattern.replaceAll(/\\u([0-9a-fA-F]{4})/g, "\\x{$1}");
    const compiled = RE2JS.compile(known);
    if (!afford(compiled.programSize() * (text.length + 1))) return null;
    return compiled.matcher(text).find();
  } catch {
    // Lookarounds and back references, which take more than linear time, or no pattern at all.
    return null;
  }
}
