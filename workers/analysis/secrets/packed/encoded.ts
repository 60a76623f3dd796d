/**
 * Texts inside a text: Base64, hexadecimal digits, escapes and percent-encoding, undone so that the
 * rules see what is in them.
 *
 * @module
 */

/** Text that stood encoded inside another. */
export interface Decoded {
  /** Offset and length of the encoded form. */
  at: number;
  length: number;
  encoding: "Base64" | "hexadecimal digits" | "percent-encoding";
  text: string;
}

/** Base64 on one line or on several, as programs break it. */
const BASE64 = /[A-Za-z0-9+/_-]{32,20000}(?:\\?\r?\n[ \t]{0,20}[A-Za-z0-9+/]{4,100}){0,200}={0,2}/y;
const MIN_BASE64 = 32;
const HEX = /(?<![0-9A-Za-z])(?:[0-9a-f]{2}){20,10000}(?![0-9A-Za-z])/gi;
const ESCAPES = /(?:\\x[0-9a-f]{2}){12,5000}/gi;
const PERCENT_BYTE = /%[0-9a-f]{2}/i;
const PERCENT = /[\w.~+&=;:@/?-]{0,200}(?:%[0-9a-f]{2}[\w.~+&=;:@/?-]{0,200}){1,100}/gi;
const MIN_TEXT = 16;
const MAX_PARTS = 500;

const encoder = new TextDecoder("latin1");

/** The beginning of `bytes` that is plain text, when most of it is. */
function printable(bytes: Uint8Array): string | null {
  let end = 0;
  while (end < bytes.length) {
    const byte = bytes[end]!;
    if (byte > 126 || (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13)) break;
    end++;
  }
  const enough = end >= MIN_TEXT && end >= bytes.length * 0.8;
  return enough ? encoder.decode(bytes.subarray(0, end)) : null;
}

function fromBase64(encoded: string): string | null {
  const plain = encoded.replace(/[^\w+/-]+/g, "").replaceAll("-", "+").replaceAll("_", "/");
  // Most runs of this alphabet are names and digests: a look at the beginning spares the rest.
  if (!startsPlain(plain.slice(0, 24))) return null;
  try {
    return printable(
      Uint8Array.fromBase64(plain.slice(0, plain.length - (plain.length % 4 === 1 ? 1 : 0))),
    );
  } catch {
    return null;
  }
}

function startsPlain(start: string): boolean {
  try {
    return printable(Uint8Array.fromBase64(start)) !== null;
  } catch {
    return false;
  }
}

function fromPercent(encoded: string): string | null {
  try {
    const text = decodeURIComponent(encoded);
    return text === encoded ? null : text;
  } catch {
    return null;
  }
}

/** 1 for characters of Base64 in either alphabet. */
const IN_BASE64 = Uint8Array.from(
  { length: 128 },
  (_, code) => Number(/[A-Za-z0-9+/_-]/.test(String.fromCharCode(code))),
);

/** Where Base64 is in a text: its runs are looked for first, as nearly all words are shorter. */
function* base64In(text: string): Generator<RegExpExecArray> {
  for (let start = 0; start < text.length;) {
    let end = start;
    // What is beyond the table, or the text, is not in it.
    while (end - start < MIN_BASE64 && IN_BASE64[text.charCodeAt(end)] === 1) end++;
    if (end - start < MIN_BASE64) {
      start = end + 1;
      continue;
    }
    BASE64.lastIndex = start;
    const match = BASE64.exec(text)!;
    yield match;
    start += match[0].length;
  }
}

function* parts(
  matches: Iterable<RegExpExecArray>,
  encoding: Decoded["encoding"],
  decode: (encoded: string) => string | null,
): Generator<Decoded> {
  for (const match of matches) {
    const decoded = decode(match[0]);
    if (decoded !== null) {
      yield { at: match.index, length: match[0].length, encoding, text: decoded };
    }
  }
}

/** What is encoded in `text`. */
export function decodedParts(text: string): Decoded[] {
  const found: Decoded[] = [];
  const all = [
    parts(base64In(text), "Base64", fromBase64),
    parts(
      text.matchAll(HEX),
      "hexadecimal digits",
      (hex) => printable(Uint8Array.fromHex(hex)),
    ),
    parts(
      text.matchAll(ESCAPES),
      "hexadecimal digits",
      (hex) => printable(Uint8Array.fromHex(hex.replaceAll("\\x", ""))),
    ),
    PERCENT_BYTE.test(text) ? parts(text.matchAll(PERCENT), "percent-encoding", fromPercent) : [],
  ];
  for (const some of all) {
    for (const part of some) {
      if (found.length === MAX_PARTS) return found;
      found.push(part);
    }
  }
  return found;
}
