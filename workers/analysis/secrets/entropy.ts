/**
 * How random a text looks.
 *
 * @module
 */

/** Shannon entropy of the characters, in bits a character. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  const length = [...text].length;
  let bits = 0;
  for (const count of counts.values()) {
    const share = count / length;
    bits -= share * Math.log2(share);
  }
  return bits;
}

/** Whether both digits and letters occur. */
export function mixesDigits(text: string): boolean {
  return /\d/.test(text) && /[A-Za-z]/.test(text);
}
