/**
 * Undoes the escapes in which services write a text (percent signs, strings of JSON and of code,
 * HTML), and keeps where each byte came from.
 *
 * @module
 */

/** Bytes, and which bytes of the original text each of them stands for. */
export interface Decoded {
  bytes: Uint8Array;
  /** Where the original of a byte begins. */
  from: Uint32Array;
  /** Where it ends. */
  to: Uint32Array;
}

interface Unit {
  code: number;
  /** Bytes that it is written in. */
  length: number;
  /** Whether `code` is one byte of a character, not a character. */
  isByte: boolean;
}

const BACKSLASH = 0x5c;
const PERCENT = 0x25;
const AMPERSAND = 0x26;
const SEMICOLON = 0x3b;
const ENTITY_MAX_BYTES = 16;

const CONTROLS: Readonly<Record<string, number>> = { b: 8, t: 9, n: 10, f: 12, r: 13 };

/** Names of the characters from U+00A0 to U+00FF, in their order. */
const LATIN =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn " +
  "sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave " +
  "Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml " +
  "ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN " +
  "szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute " +
  "icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml " +
  "yacute thorn yuml";

const PUNCTUATION =
  "amp& lt< gt> quot\" apos' plus+ equals= sol/ bsol\\ num# percnt% dollar$ colon: semi; comma, " +
  "period. excl! quest? commat@ ast* lowbar_ hyphen- lpar( rpar) lsqb[ rsqb] lbrack[ rbrack] " +
  "lcub{ rcub} lbrace{ rbrace} verbar| vert| Hat^";

const ENTITIES: ReadonlyMap<string, number> = new Map([
  ...LATIN.split(" ").map((name, at) => [name, 0xa0 + at] as const),
  ...PUNCTUATION.split(" ").map((one) =>
    [one.slice(0, -1), one.charCodeAt(one.length - 1)] as const
  ),
]);

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** The number that `count` hexadecimal digits write; -1 where there are none. */
function hexAt(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let index = at; index < at + count; index++) {
    const digit = hexDigit(bytes[index]);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

function unicodeAt(bytes: Uint8Array, at: number): Unit | null {
  const first = hexAt(bytes, at + 2, 4);
  if (first < 0) return bracedAt(bytes, at);
  const isHigh = first >= 0xd800 && first < 0xdc00;
  if (isHigh && bytes[at + 6] === BACKSLASH && bytes[at + 7] === 0x75) {
    const second = hexAt(bytes, at + 8, 4);
    if (second >= 0xdc00 && second < 0xe000) {
      const code = 0x10000 + (first - 0xd800) * 0x400 + (second - 0xdc00);
      return { code, length: 12, isByte: false };
    }
  }
  return { code: first, length: 6, isByte: false };
}

/** `\u{e9}`. */
function bracedAt(bytes: Uint8Array, at: number): Unit | null {
  if (bytes[at + 2] !== 0x7b) return null;
  for (let count = 1; count <= 6; count++) {
    if (bytes[at + 3 + count] !== 0x7d) continue;
    const code = hexAt(bytes, at + 3, count);
    return code < 0 || code > 0x10ffff ? null : { code, length: count + 4, isByte: false };
  }
  return null;
}

function backslashAt(bytes: Uint8Array, at: number): Unit | null {
  const next = bytes[at + 1];
  if (next === undefined) return null;
  const isWord = next >= 0x80 || next >= 0x30 && next <= 0x39 || next >= 0x41 && next <= 0x5a ||
    next >= 0x61 && next <= 0x7a;
  if (!isWord) return { code: next, length: 2, isByte: true };
  const letter = String.fromCharCode(next);
  if (letter === "u") return unicodeAt(bytes, at);
  if (letter === "x") {
    const code = hexAt(bytes, at + 2, 2);
    return code < 0 ? null : { code, length: 4, isByte: true };
  }
  const control = CONTROLS[letter];
  if (control !== undefined) return { code: control, length: 2, isByte: true };
  const digits = [next, bytes[at + 2] ?? 0, bytes[at + 3] ?? 0].map((byte) => byte - 0x30);
  const isOctal = digits.every((digit) => digit >= 0 && digit < 8) && digits[0]! < 4;
  if (!isOctal) return null;
  return { code: digits[0]! * 64 + digits[1]! * 8 + digits[2]!, length: 4, isByte: true };
}

function entityAt(bytes: Uint8Array, at: number): Unit | null {
  const end = bytes.subarray(at, at + ENTITY_MAX_BYTES).indexOf(SEMICOLON);
  if (end < 2) return null;
  const name = String.fromCharCode(...bytes.subarray(at + 1, at + end));
  const number = /^#(?:[xX]([0-9a-fA-F]+)|(\d+))$/.exec(name);
  const code = number === null
    ? ENTITIES.get(name)
    : parseInt(number[1] ?? number[2]!, number[1] === undefined ? 10 : 16);
  if (code === undefined || code > 0x10ffff) return null;
  return { code, length: end + 1, isByte: false };
}

function unitAt(bytes: Uint8Array, at: number): Unit | null {
  const byte = bytes[at];
  if (byte === BACKSLASH) return backslashAt(bytes, at);
  if (byte === AMPERSAND) return entityAt(bytes, at);
  if (byte !== PERCENT) return null;
  const code = hexAt(bytes, at + 1, 2);
  return code < 0 ? null : { code, length: 3, isByte: true };
}

/** Puts `code` into `into` in UTF-8. @returns Where the next one goes. */
function writeCode(into: Uint8Array, at: number, code: number): number {
  if (code < 0x80) {
    into[at] = code;
    return at + 1;
  }
  const more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  into[at] = [0, 0xc0, 0xe0, 0xf0][more]! | code >> (6 * more);
  for (let index = 1; index <= more; index++) {
    into[at + index] = 0x80 | code >> (6 * (more - index)) & 0x3f;
  }
  return at + more + 1;
}

function writeByte(into: Uint8Array, at: number, byte: number): number {
  into[at] = byte;
  return at + 1;
}

/** The text in which each byte is itself. */
export function asItIs(bytes: Uint8Array): Decoded {
  const from = new Uint32Array(bytes.length);
  const to = new Uint32Array(bytes.length);
  for (let at = 0; at < bytes.length; at++) {
    from[at] = at;
    to[at] = at + 1;
  }
  return { bytes, from, to };
}

/** `text` with one layer of escapes undone; null where there is none. */
export function unescaped(text: Decoded): Decoded | null {
  const { bytes } = text;
  // No escape is shorter than what it stands for.
  const out = new Uint8Array(bytes.length);
  const from = new Uint32Array(bytes.length);
  const to = new Uint32Array(bytes.length);
  let length = 0;
  let isChanged = false;
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at]!;
    const unit = byte === BACKSLASH || byte === PERCENT || byte === AMPERSAND
      ? unitAt(bytes, at)
      : null;
    const start = length;
    if (unit === null) {
      out[length] = byte;
      from[length] = text.from[at]!;
      to[length++] = text.to[at++]!;
      continue;
    }
    length = unit.isByte ? writeByte(out, length, unit.code) : writeCode(out, length, unit.code);
    from.fill(text.from[at]!, start, length);
    at += unit.length;
    to.fill(text.to[at - 1]!, start, length);
    isChanged = true;
  }
  if (!isChanged) return null;
  return {
    bytes: out.subarray(0, length),
    from: from.subarray(0, length),
    to: to.subarray(0, length),
  };
}
