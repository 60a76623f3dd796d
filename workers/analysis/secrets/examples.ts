/**
 * Where a program's text explains itself: docstrings and sessions of an interpreter shown in it.
 * What stands there is an example, unless its form says whose key it is.
 *
 * @module
 */
import type { Match } from "./match.ts";
import { isVeryRandom } from "./values.ts";

/** Kinds without a form of their own. */
const NAMELESS = new Set([
  "password",
  "generic-api-key",
  "authorization",
  "jwt",
  "url-credentials",
  "connection-string",
]);
const TRIPLE = /"""|'''/g;

/** The docstrings of a Python module: texts in three quotes that begin a line. */
function docstrings(text: string): [start: number, end: number][] {
  const ranges: [number, number][] = [];
  TRIPLE.lastIndex = 0;
  for (let open = TRIPLE.exec(text); open !== null; open = TRIPLE.exec(text)) {
    const end = text.indexOf(open[0], open.index + 3);
    if (end < 0) break;
    const before = text.slice(text.lastIndexOf("\n", open.index) + 1, open.index);
    if (/^[ \t]*[rRuUbB]{0,2}$/.test(before)) ranges.push([open.index, end]);
    TRIPLE.lastIndex = end + 3;
  }
  return ranges;
}

function isSession(text: string, at: number): boolean {
  return /^[ \t#*]*>>> /.test(text.slice(text.lastIndexOf("\n", at) + 1, at));
}

/** The matches without those that a docstring shows as examples. */
export function withoutExamples(path: string, text: string, matches: readonly Match[]): Match[] {
  if (!/\.pyi?$/i.test(path)) return [...matches];
  let ranges: [number, number][] | null = null;
  return matches.filter(({ kind, at, value }) => {
    if (!NAMELESS.has(kind)) return true;
    if (isSession(text, at)) return false;
    ranges ??= docstrings(text);
    const inside = ranges.some(([start, end]) => start < at && at < end);
    return !inside || (kind === "generic-api-key" && isVeryRandom(value));
  });
}
