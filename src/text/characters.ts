/**
 * Characters that a person's text may have. What cannot be seen, or makes other text read
 * differently, is refused wherever people write what others read: two names would look the same, and
 * a description could say one thing to people and another to programs.
 *
 * @module
 */
import type { z } from "zod";

// Controls, formats (bidirectional ones too), halves of surrogate pairs, private use, unassigned and
// noncharacters; what is ignorable by default (fillers, variation selectors, tags); separators of
// lines; and characters that are drawn as nothing though no property says so.
const HIDDEN =
  /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800\ufffc\u{13441}\u{13442}\u{16fe4}\u{1d159}]/u;

/** Spaces so narrow that they are not seen in a name; prose has them before units and signs. */
const NARROW = /[\u2000-\u200a\u202f\u205f]/;

/** More marks on one letter are drawn over the lines above and below (UTS #39, section 5.4). */
const STACKED = /^\p{M}|\p{Mn}{5,}/u;

// What is drawn as one picture: joined emoji, flags, variants in colour or as text.
const EMOJI = /\p{RGI_Emoji}|\p{Emoji}\ufe0e/gv;

const VIRAMA =
  "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0e3a\u0eba\u0f84" +
  "\u1039\u103a\u1714\u1734\u17d2\u1a60\u1b44\u1baa\u1bab\ua806\ua8c4\ua953\ua9c0\uaaf6\uabed";
const CURSIVE = "[\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Nko}]";

// Joiners where a script is misspelt without them (IDNA's contextual rules, RFC 5892, A.1 and A.2).
const JOINER = new RegExp(
  `(?<=[${VIRAMA}])[\\u200c\\u200d]|(?<=${CURSIVE}\\p{M}*)\\u200c(?=${CURSIVE})`,
  "gu",
);

/** Decides which characters are allowed: prose has several lines, names have one. */
export interface TextKind {
  /** Whether it may have several lines, tabs, emoji of several code points and joiners. */
  isProse: boolean;
}

/** The first character of `text` that people would not see as it is; null when there is none. */
function hiddenCharacter(text: string, { isProse }: TextKind): string | null {
  const rest = isProse
    ? text.replace(EMOJI, "x").replace(JOINER, "").replace(/\r\n?|[\n\t]/g, " ")
    : text;
  return (HIDDEN.exec(rest) ?? (isProse ? null : NARROW.exec(rest)))?.[0] ?? null;
}

function faultOf(text: string, kind: TextKind): string | null {
  const hidden = hiddenCharacter(text, kind);
  if (hidden !== null) {
    const code = hidden.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
    return `must not contain the invisible or control character U+${code}`;
  }
  return !kind.isProse && STACKED.test(text)
    ? "must not start with a combining mark or have more than four on a letter"
    : null;
}

function checked(text: z.ZodString, kind: TextKind): z.ZodString {
  return text.check((context) => {
    const message = faultOf(context.value, kind);
    if (message !== null) context.issues.push({ code: "custom", message, input: context.value });
  });
}

/** `text` on one line, without characters that people would not see: for titles and names. */
export function nameText(text: z.ZodString): z.ZodString {
  return checked(text, { isProse: false });
}

// deno-lint-ignore no-control-regex
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** `text` that is looked for and shown to nobody else: only what no text has is refused. */
export function soughtText(text: z.ZodString): z.ZodString {
  return text.refine(
    (value) => !CONTROL.test(value) && value.isWellFormed(),
    "must not contain control characters",
  );
}

/** `text` of several lines. */
export function proseText(text: z.ZodString): z.ZodString {
  return checked(text, { isProse: true });
}
