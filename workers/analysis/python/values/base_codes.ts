/**
 * Bytes that are written with 32 or 85 characters (RFC 4648; RFC 1924 and Ascii85 as Python has them).
 *
 * @module
 */

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const BASE85 =
  "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";

/** What Base32 says; undefined for anything else. */
export function fromBase32(text: string): Uint8Array | undefined {
  const bytes: number[] = [];
  let [bits, held] = [0, 0];
  for (const each of text.replace(/=+$/, "").toUpperCase()) {
    const digit = BASE32.indexOf(each);
    if (digit < 0) return undefined;
    held = (held << 5 | digit) & 0xfff;
    bits += 5;
    if (bits >= 8) bytes.push(held >> (bits -= 8) & 0xff);
  }
  return Uint8Array.from(bytes);
}

/** What groups of five digits of base 85 say. */
function fromDigits(digits: readonly number[], filler: number): Uint8Array | undefined {
  const bytes: number[] = [];
  for (let at = 0; at < digits.length; at += 5) {
    const group = digits.slice(at, at + 5);
    const missing = 5 - group.length;
    const value = [...group, ...Array(missing).fill(filler)].reduce(
      (sum, each) => sum * 85 + each,
      0,
    );
    if (value > 0xffffffff) return undefined;
    const four = [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256);
    bytes.push(...four.slice(0, 4 - missing));
  }
  return Uint8Array.from(bytes);
}

/** What `base64.b85encode` wrote; undefined for anything else. */
export function fromBase85(text: string): Uint8Array | undefined {
  const digits = [...text].map((each) => BASE85.indexOf(each));
  return digits.includes(-1) ? undefined : fromDigits(digits, 84);
}

/** What `base64.a85encode` wrote; undefined for anything else. */
export function fromAscii85(text: string): Uint8Array | undefined {
  const plain = text.replace(/^<~|~>$/g, "").replace(/\s/g, "").replaceAll("z", "!!!!!");
  const digits = [...plain].map((each) => each.charCodeAt(0) - 33);
  return digits.some((each) => each < 0 || each > 84) ? undefined : fromDigits(digits, 84);
}
