/**
 * Random texts that stand for secrets: of the same shape, so that code which looks at a key finds
 * what it expects.
 *
 * @module
 */

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const DIGITS = "0123456789";
const HEX = "0123456789abcdef";
/** Fewer random characters could be met by chance in ordinary text. */
const RANDOM_MIN = 20;
/** What services begin their keys with: `ghp_`, `sk-proj-`, `xoxb-`. */
const PREFIX = /^(?:[A-Za-z]{1,8}[-_]){1,3}/;

/** What is rather a word, or a group of a licence, than a random part of a key. */
const WORD = /^[A-Za-z]{1,9}$/;

/** Whether most of `secret` is words: what it begins with then belongs to it. */
function isOfWords(secret: string): boolean {
  const parts = secret.split(/[-_. ]/);
  const words = parts.filter((part) => WORD.test(part));
  return words.join("").length * 2 > parts.join("").length;
}

function randomOf(alphabet: string): string {
  // Bytes beyond the last whole round would make some characters likelier.
  const end = 256 - 256 % alphabet.length;
  for (;;) {
    const [byte] = crypto.getRandomValues(new Uint8Array(1)) as unknown as [number];
    if (byte < end) return alphabet[byte % alphabet.length]!;
  }
}

function randomText(length: number, alphabet: string): string {
  return Array.from({ length }, () => randomOf(alphabet)).join("");
}

function alike(character: string): string {
  if (DIGITS.includes(character)) return randomOf(DIGITS);
  if (UPPER.includes(character)) return randomOf(UPPER);
  if (LOWER.includes(character)) return randomOf(LOWER);
  return "-_.".includes(character) ? character : randomOf(LOWER);
}

/** What no ordinary text has of a placeholder: all but the usual beginning of such keys. */
export function randomPartOf(placeholder: string): string {
  return placeholder.replace(PREFIX, "");
}

/**
 * A random text in the place of `secret`. It has only characters that stay as they are in headers,
 * addresses and JSON, and tells at most the usual beginning of such keys.
 */
export function placeholderFor(secret: string): string {
  const prefix = PREFIX.exec(secret)?.[0] ?? "";
  const rest = secret.slice(prefix.length);
  if (/^[0-9a-f]{20,512}$/.test(rest)) return prefix + randomText(rest.length, HEX);
  const random = rest.replace(/[-_.]/g, "").length;
  // Digits alone are too few to choose from, and the lengths of words tell them.
  if (random < RANDOM_MIN || rest.length > 512 || /^\d+$/.test(rest) || isOfWords(secret)) {
    return `berth-${randomText(26, LOWER + DIGITS)}`;
  }
  return prefix + Array.from(rest, alike).join("");
}
