/**
 * Letters that are drawn as plain ones, small, in a box or in a circle, and that UTS #39 and the
 * compatibility forms of Unicode leave as they are.
 *
 * @module
 */

const A = "a".codePointAt(0)!;
const LETTERS = 26;

// Negative circles and boxes, and the halves of flags.
const ALPHABETS = [0x1f150, 0x1f170, 0x1f1e6];

// Small capitals, which are also what UTS #39 takes for the prototypes of Cyrillic and Greek letters.
const SMALL: Readonly<Record<string, string>> = {
  ...{ ᴀ: "a", ʙ: "b", ƅ: "b", ᴄ: "c", ᴅ: "d", ᴇ: "e", ꜰ: "f", ɢ: "g", ʜ: "h", ɪ: "i", ᴊ: "j" },
  ...{ ᴋ: "k", ĸ: "k", ʟ: "l", ᴍ: "m", ʍ: "m", ɴ: "n", ᴏ: "o", ᴘ: "p", ꞯ: "q", ʀ: "r", ꜱ: "s" },
  ...{ ᴛ: "t", ᴜ: "u", ᴠ: "v", ᴡ: "w", ʏ: "y", ᴢ: "z" },
};

/** The plain letter that `character` is drawn as; `character` itself when it is none of these. */
export function plainLetter(character: string): string {
  const code = character.codePointAt(0)!;
  const first = ALPHABETS.find((from) => code >= from && code < from + LETTERS);
  if (first !== undefined) return String.fromCodePoint(A + code - first);
  return SMALL[character] ?? character;
}
