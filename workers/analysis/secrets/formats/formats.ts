/**
 * Tokens whose issuers gave them a form of their own. The forms are published by the issuers or
 * plain to see in the tokens; quantifiers are bounded.
 *
 * @module
 */
import { entropyOf } from "../entropy.ts";
import { AI_FORMATS } from "./ai.ts";
import { CLOUD_FORMATS } from "./cloud.ts";
import { CODE_FORMATS } from "./code.ts";
import { NAMED_FORMATS } from "./named.ts";
import { SERVICE_FORMATS } from "./service.ts";
import { hintFinder } from "../hints.ts";
import type { Match } from "../match.ts";
import type { Format } from "../patterns.ts";
import { isFiller, isPlaceholderToken } from "../placeholders.ts";

const FORMATS: readonly Format[] = [
  ...AI_FORMATS,
  ...CLOUD_FORMATS,
  ...CODE_FORMATS,
  ...SERVICE_FORMATS,
  ...NAMED_FORMATS,
];

const hintsIn = hintFinder(FORMATS.flatMap(({ hints }) => hints));

/** Matches of one form in one file; more are the same leak again. */
const MAX_PER_FORMAT = 50;

function isMadeUp(value: string, { entropy = 0, fixed = 0, check, exact }: Format): boolean {
  const made = exact === true ? isFiller(value) : isPlaceholderToken(value.slice(fixed));
  return made || entropyOf(value) < entropy || check?.(value) === false;
}

/** Every token of a known form in `text`. */
export function findFormats(text: string): Match[] {
  const found: Match[] = [];
  const present = hintsIn(text);
  for (const format of FORMATS) {
    const { kind, title, hints, pattern, severity = "critical" } = format;
    if (!hints.some((hint) => present.has(hint))) continue;
    let count = 0;
    for (const match of text.matchAll(pattern)) {
      const value = match.groups?.secret ?? match[0];
      if (isMadeUp(value, format)) continue;
      const at = match.index + match[0].lastIndexOf(value);
      found.push({ kind, title, severity, at, value });
      if (++count === MAX_PER_FORMAT) break;
    }
  }
  return found;
}
