/**
 * Looks for one text in others in time that grows with their length alone, whatever they are.
 *
 * @module
 */
import { Buffer } from "node:buffer";

/** Bytes that the runtime's own search, which may go back, looks for. */
const ANCHOR_BYTES = 24;

/** A text that was made ready for {@link eachEnd}; it serves any number of searches. */
export interface Pattern {
  readonly bytes: Uint8Array;
  /** What its search begins with, one character a byte. */
  readonly anchor: string;
  /** How much of it is found still where its next byte is not; made when it is first needed. */
  borders: Uint32Array | null;
}

/** Text to be searched, in the two forms that the search needs. */
export interface Searched {
  bytes: Uint8Array;
  /** One character a byte. */
  text: string;
}

export function patternOf(bytes: Uint8Array): Pattern {
  const anchor = Buffer.from(bytes.subarray(0, ANCHOR_BYTES)).toString("latin1");
  return { bytes, anchor, borders: null };
}

export function searchedText(bytes: Uint8Array): Searched {
  const { buffer, byteOffset, byteLength } = bytes;
  return { bytes, text: Buffer.from(buffer, byteOffset, byteLength).toString("latin1") };
}

function bordersOf(bytes: Uint8Array): Uint32Array {
  const borders = new Uint32Array(bytes.length);
  let known = 0;
  for (let at = 1; at < bytes.length; at++) {
    while (known > 0 && bytes[at] !== bytes[known]) known = borders[known - 1]!;
    if (bytes[at] === bytes[known]) known++;
    borders[at] = known;
  }
  return borders;
}

/** Tells of each place at which `pattern` ends in `text`, from the first to the last. */
export function eachEnd(
  { bytes: text, text: characters }: Searched,
  pattern: Pattern,
  tell: (end: number) => void,
): void {
  const { bytes, anchor } = pattern;
  let at = characters.indexOf(anchor);
  if (at < 0) return;
  const borders = pattern.borders ??= bordersOf(bytes);
  let known = 0;
  while (at >= 0 && at < text.length) {
    while (known > 0 && text[at] !== bytes[known]) known = borders[known - 1]!;
    if (text[at] === bytes[known]) known++;
    at++;
    if (known === bytes.length) {
      tell(at);
      known = borders[known - 1]!;
    }
    if (known === 0) at = characters.indexOf(anchor, at);
  }
}
