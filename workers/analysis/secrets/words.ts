/**
 * Whether a text is made of words, as names, paths and titles are and random tokens are not.
 *
 * @module
 */

const SHARE = 0.75;
/** A word of at least three letters in one case, perhaps with a number before or behind it. */
const WORD = /^\d{0,4}(?<letters>[A-Z]?[a-z]{2,}|[A-Z]{3,})\d{0,4}$/;
const PRONOUNCED = /^[^aeiouy]{0,3}(?:[aeiouy]{1,3}[^aeiouy]{1,4})*[aeiouy]{0,3}$/i;

/** Whether three quarters of the letters and digits of `text` belong to words. */
export function isWords(text: string): boolean {
  const parts = text.replace(/([a-z]|\d(?=[A-Z][a-z]))([A-Z])/g, "$1 $2")
    .replace(/([A-Z]{2,})([A-Z][a-z])/g, "$1 $2").split(/[^A-Za-z0-9]+/);
  let characters = 0;
  let inWords = 0;
  for (const part of parts) {
    characters += part.length;
    const letters = WORD.exec(part)?.groups?.letters ?? "";
    if (/[aeiouy]/i.test(letters) && PRONOUNCED.test(letters)) inWords += part.length;
  }
  return characters > 0 && inWords / characters >= SHARE;
}
