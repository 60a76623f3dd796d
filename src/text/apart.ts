/**
 * Texts whose characters stand apart: base64 in lines, lists of numbers and of characters, UTF-16.
 *
 * @module
 */
import { type Searched, searchedText } from "./pattern.ts";

/** Characters of base64 around a text. */
export interface Edges {
  before: number;
  behind: number;
}

/** A layer of a text as a search sees it. */
export interface Seen {
  text: Searched;
  /** Where the byte at `at` is in the layer. */
  placeOf(at: number): number;
}

const IS_LETTER = Uint8Array.from(
  { length: 256 },
  (_, byte) => Number(/[A-Za-z0-9]/.test(String.fromCharCode(byte))),
);
const IS_BASE64 = IS_LETTER.map((is, byte) =>
  is || Number("+/-_=".includes(String.fromCharCode(byte)))
);
const LINE_FEED = 0x0a;
const RETURN = 0x0d;

/** A layer with all of its bytes, each at its own place. */
export function whole(bytes: Uint8Array): Seen {
  return { text: searchedText(bytes), placeOf: (at) => at };
}

/** Letters and digits of `bytes`. */
export function lettersOf(bytes: Uint8Array): Uint8Array {
  return bytes.filter((byte) => IS_LETTER[byte] === 1);
}

/** Whether a letter or digit begins and ends `bytes`. */
export function isFramed(bytes: Uint8Array): boolean {
  return [bytes.at(0), bytes.at(-1)].every((byte) => byte !== undefined && IS_LETTER[byte] === 1);
}

/** Letters and digits of the layer alone. */
export function onlyLetters(bytes: Uint8Array): Seen {
  const letters = new Uint8Array(bytes.length);
  const places = new Uint32Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    letters[length] = bytes[at]!;
    places[length] = at;
    length += IS_LETTER[bytes[at]!]!;
  }
  return { text: searchedText(letters.subarray(0, length)), placeOf: (at) => places[at]! };
}

/** Where the last of `count` further characters of base64 is, line ends aside. */
function beyond(bytes: Uint8Array, place: number, count: number, step: 1 | -1): number {
  let [last, left] = [place, count];
  for (let at = place + step; left > 0; at += step) {
    const byte = bytes[at];
    if (byte === LINE_FEED || byte === RETURN) continue;
    if (byte === undefined || IS_BASE64[byte] === 0) break;
    last = at;
    left--;
  }
  return last;
}

/** The first and the last place of what was found, with its `edges`. */
export function widened(
  bytes: Uint8Array,
  [first, last]: [number, number],
  { before, behind }: Edges,
): [number, number] {
  return [beyond(bytes, first, before, -1), beyond(bytes, last, behind, 1)];
}
