/**
 * Tokens whose issuers gave them a form of their own. The forms are published by the issuers or
 * plain to see in the tokens; quantifiers are bounded.
 *
 * @module
 */
import { entropyOf } from "./entropy.ts";
import { AI_FORMATS } from "./formats_ai.ts";
import { CLOUD_FORMATS } from "./formats_cloud.ts";
import { CODE_FORMATS } from "./formats_code.ts";
import { SERVICE_FORMATS } from "./formats_service.ts";
import type { Match } from "./match.ts";
import type { Format } from "./patterns.ts";
import { isPlaceholderToken } from "./placeholders.ts";

const FORMATS: readonly Format[] = [
  ...AI_FORMATS,
  ...CLOUD_FORMATS,
  ...CODE_FORMATS,
  ...SERVICE_FORMATS,
];

/** Matches of one form in one file; more are the same leak again. */
const MAX_PER_FORMAT = 50;

/** Every token of a known form in `text`. */
export function findFormats(text: string): Match[] {
  const found: Match[] = [];
  for (const { kind, title, hints, pattern, entropy = 0, fixed = 0, check } of FORMATS) {
    if (!hints.some((hint) => text.includes(hint))) continue;
    let count = 0;
    for (const match of text.matchAll(pattern)) {
      const value = match.groups?.secret ?? match[0];
      if (
        isPlaceholderToken(value.slice(fixed)) || entropyOf(value) < entropy ||
        check?.(value) === false
      ) {
        continue;
      }
      const at = match.index + match[0].lastIndexOf(value);
      found.push({ kind, title, severity: "critical", at, value });
      if (++count === MAX_PER_FORMAT) break;
    }
  }
  return found;
}
