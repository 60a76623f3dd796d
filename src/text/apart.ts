/**
 * Texts whose characters stand apart: base64 in lines, lists of numbers and of characters, UTF-16,
 * words that tags of HTML or XML mark.
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
const LESS = 0x3c;
const GREATER = 0x3e;
/** What follows the bracket that begins a tag. */
const BEGINS_TAG = Uint8Array.from(
  { length: 256 },
  (_, byte) => Number(/[A-Za-z/!?]/.test(String.fromCharCode(byte))),
);
/** What is searched has small letters alone. */
const CDATA = [..."<![cdata["].map((character) => character.charCodeAt(0));
/** Bytes of the longest tag that stands between the parts of a text. */
const TAG_MAX_BYTES = 512;
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

/** Finds where the tag at a place ends, the place itself where there is none: from left to right. */
function tagEnds(bytes: Uint8Array): (at: number) => number {
  let greater = -1;
  return (at) => {
    if (bytes[at] !== LESS || BEGINS_TAG[bytes[at + 1] ?? 0] !== 1) return at;
    if (CDATA.every((byte, index) => bytes[at + index] === byte)) return at + CDATA.length;
    if (greater < at) greater = bytes.indexOf(GREATER, at);
    if (greater < 0) greater = bytes.length;
    return greater - at < TAG_MAX_BYTES && greater < bytes.length ? greater + 1 : at;
  };
}

/** Whether the layer has what looks like a tag of HTML or XML. */
export function hasTags(bytes: Uint8Array): boolean {
  const tagEnd = tagEnds(bytes);
  for (let at = bytes.indexOf(LESS); at >= 0; at = bytes.indexOf(LESS, at + 1)) {
    if (tagEnd(at) > at) return true;
  }
  return false;
}

/** Letters and digits of the layer alone, with `outsideTags` without those of tags. */
export function onlyLetters(bytes: Uint8Array, { outsideTags = false } = {}): Seen {
  const letters = new Uint8Array(bytes.length);
  const places = new Uint32Array(bytes.length);
  const tagEnd = outsideTags ? tagEnds(bytes) : (at: number) => at;
  let length = 0;
  for (let at = 0; at < bytes.length;) {
    const end = tagEnd(at);
    if (end > at) {
      at = end;
      continue;
    }
    letters[length] = bytes[at]!;
    places[length] = at;
    length += IS_LETTER[bytes[at++]!]!;
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
