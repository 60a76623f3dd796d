/**
 * Strangers' text on a terminal: what would move the cursor, change colours or hide text is shown,
 * not sent.
 *
 * @module
 */

// Controls but tab and line feed, and characters that reorder or hide text.
const UNSAFE =
  // deno-lint-ignore no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

function visible(character: string): string {
  return `\\u{${character.codePointAt(0)!.toString(16)}}`;
}

/** `text` without what a terminal would obey; lines and tabs stay. */
export function safe(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(UNSAFE, visible);
}

/** {@link safe} on one line, cut to `max` characters. */
export function oneLine(text: string, max = Infinity): string {
  const line = safe(text.replace(/\s+/g, " ").trim());
  const characters = [...line];
  return characters.length <= max ? line : `${characters.slice(0, Math.max(max - 1, 0)).join("")}…`;
}

/** A moment of the registry (RFC 3339) for people: to the minute, in UTC; else the text itself. */
export function moment(text: string): string {
  const [, day, minute] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)[\d:.]*Z$/.exec(text) ?? [];
  return day === undefined ? text : `${day} ${minute} UTC`;
}

// Wide in East Asian typesetting, and emoji.
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const COMBINING = /^\p{M}$/u;
// deno-lint-ignore no-control-regex
const STYLES = /\x1b\[[0-9;]*m/g;

/** {@link safe}, but for styles that are ours. */
export function safeStyled(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.split(/(\x1b\[[0-9;]*m)/).map((part, index) => index % 2 === 1 ? part : safe(part))
    .join("");
}

/** Columns that `text` takes on a terminal, styles not counted. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text.replace(STYLES, "")) {
    if (COMBINING.test(character)) continue;
    width += WIDE.test(character) ? 2 : 1;
  }
  return width;
}
