/**
 * Whether bytes are one JSON text: no value is built, nothing recurses, and the work grows with the
 * bytes alone. What has passed can be put into a message as it is.
 *
 * @module
 */

/** What a text may be. */
export interface JsonBounds {
  /** Deepest nesting of arrays and objects. */
  depth: number;
  /**
   * Whether line ends may stand between values. Texts that go into event streams have none: there a
   * line end would begin a field of its own.
   */
  lineEnds: boolean;
}

/** Why bytes are no such text. */
export type JsonFault = "syntax" | "encoding" | "depth" | "line_end";

/** Bytes that are checked before the event loop turns: about a millisecond. */
const SLICE_BYTES = 256 * 1024;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const UNICODE_ESCAPE = 0x75;

const ESCAPES = new Set([...'"\\/bfnrt'].map((char) => char.charCodeAt(0)));
const WORDS = new Map(
  ["true", "false", "null"].map((word) => [word.charCodeAt(0), new TextEncoder().encode(word)]),
);

/** What may come next. */
const enum Expect {
  Value,
  ValueOrClose,
  Key,
  KeyOrClose,
  Colon,
  CommaOrClose,
  Nothing,
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function isHex(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const lower = byte | 0x20;
  return isDigit(byte) || lower >= 0x61 && lower <= 0x66;
}

/** Where the digits that begin at `at` end. */
function digitsEnd(bytes: Uint8Array, at: number): number {
  while (isDigit(bytes[at])) at++;
  return at;
}

/** Where the number that begins at `at` ends; -1 where none does. */
function numberEnd(bytes: Uint8Array, at: number): number {
  if (bytes[at] === 0x2d) at++;
  if (!isDigit(bytes[at])) return -1;
  at = bytes[at] === 0x30 ? at + 1 : digitsEnd(bytes, at);
  if (bytes[at] === 0x2e) {
    if (!isDigit(bytes[at + 1])) return -1;
    at = digitsEnd(bytes, at + 1);
  }
  if (bytes[at] !== 0x65 && bytes[at] !== 0x45) return at;
  at++;
  if (bytes[at] === 0x2b || bytes[at] === 0x2d) at++;
  return isDigit(bytes[at]) ? digitsEnd(bytes, at) : -1;
}

/** Bytes of the character of several bytes at `at`; 0 where it is none (Unicode, table 3-7). */
function characterLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  const second = bytes[at + 1] ?? 0;
  const isNext = (offset: number) => ((bytes[at + offset] ?? 0) & 0xc0) === 0x80;
  if (first < 0xc2 || first > 0xf4 || !isNext(1)) return 0;
  if (first < 0xe0) return 2;
  if (!isNext(2)) return 0;
  if (first < 0xf0) {
    if (first === 0xe0 && second < 0xa0 || first === 0xed && second > 0x9f) return 0;
    return 3;
  }
  if (first === 0xf0 && second < 0x90 || first === 0xf4 && second > 0x8f || !isNext(3)) return 0;
  return 4;
}

/** Checks a text piece by piece. */
class Checker {
  /** Kind of each container around the place, by its opening byte. */
  readonly #around: Uint8Array;
  #depth = 0;
  #at = 0;
  #inString = false;
  #isKey = false;
  #expect = Expect.Value;

  constructor(
    readonly bytes: Uint8Array,
    readonly bounds: JsonBounds,
    around = new Uint8Array(bounds.depth),
  ) {
    this.#around = around;
  }

  /** Goes on to about `until`. @returns A fault, null when that far it is right. */
  run(until: number): JsonFault | null {
    const { bytes } = this;
    while (this.#at < until) {
      const byte = bytes[this.#at]!;
      const fault = this.#inString ? this.#string(until) : this.#token(byte);
      if (fault !== null) return fault;
    }
    if (until < bytes.length) return null;
    return this.#inString || this.#expect !== Expect.Nothing ? "syntax" : null;
  }

  #token(byte: number): JsonFault | null {
    if (byte === SPACE || byte === TAB) {
      this.#at++;
      return null;
    }
    if (byte === LINE_FEED || byte === RETURN) {
      this.#at++;
      return this.bounds.lineEnds ? null : "line_end";
    }
    switch (this.#expect) {
      case Expect.ValueOrClose:
        if (byte === CLOSE_LIST) return this.#close(byte);
        return this.#value(byte);
      case Expect.Value:
        return this.#value(byte);
      case Expect.KeyOrClose:
        if (byte === CLOSE_OBJECT) return this.#close(byte);
        return this.#key(byte);
      case Expect.Key:
        return this.#key(byte);
      case Expect.Colon:
        if (byte !== COLON) return "syntax";
        this.#at++;
        this.#expect = Expect.Value;
        return null;
      case Expect.CommaOrClose:
        if (byte !== COMMA) return this.#close(byte);
        this.#at++;
        this.#expect = this.#around[this.#depth - 1] === OPEN_LIST ? Expect.Value : Expect.Key;
        return null;
      default:
        return "syntax";
    }
  }

  #key(byte: number): JsonFault | null {
    if (byte !== QUOTE) return "syntax";
    this.#at++;
    this.#inString = this.#isKey = true;
    return null;
  }

  #close(byte: number): JsonFault | null {
    const opening = byte === CLOSE_LIST ? OPEN_LIST : byte === CLOSE_OBJECT ? OPEN_OBJECT : 0;
    if (this.#around[this.#depth - 1] !== opening) return "syntax";
    this.#at++;
    this.#depth--;
    this.#ended();
    return null;
  }

  #ended(): void {
    this.#expect = this.#depth === 0 ? Expect.Nothing : Expect.CommaOrClose;
  }

  #value(byte: number): JsonFault | null {
    if (byte === QUOTE) {
      this.#at++;
      this.#inString = true;
      this.#isKey = false;
      return null;
    }
    if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (this.#depth === this.bounds.depth) return "depth";
      this.#around[this.#depth++] = byte;
      this.#at++;
      this.#expect = byte === OPEN_LIST ? Expect.ValueOrClose : Expect.KeyOrClose;
      return null;
    }
    const word = WORDS.get(byte);
    if (word === undefined) {
      const end = numberEnd(this.bytes, this.#at);
      if (end < 0) return "syntax";
      this.#at = end;
    } else {
      for (let i = 0; i < word.length; i++) {
        if (this.bytes[this.#at + i] !== word[i]) return "syntax";
      }
      this.#at += word.length;
    }
    this.#ended();
    return null;
  }

  /** Goes through a string, to its end or about `until`. */
  #string(until: number): JsonFault | null {
    const { bytes } = this;
    let at = this.#at;
    while (at < until) {
      const byte = bytes[at]!;
      if (byte === QUOTE) {
        this.#at = at + 1;
        this.#inString = false;
        if (this.#isKey) this.#expect = Expect.Colon;
        else this.#ended();
        return null;
      }
      if (byte === BACKSLASH) {
        const escape = bytes[at + 1];
        if (escape === UNICODE_ESCAPE) {
          for (let i = 2; i < 6; i++) if (!isHex(bytes[at + i])) return "syntax";
          at += 6;
        } else if (escape !== undefined && ESCAPES.has(escape)) at += 2;
        else return "syntax";
      } else if (byte < SPACE) return "syntax";
      else if (byte < 0x80) at++;
      else {
        const length = characterLength(bytes, at);
        if (length === 0) return "encoding";
        at += length;
      }
    }
    this.#at = at;
    return null;
  }
}

/** Room of the text that is being checked at once. */
let shared = new Uint8Array(0);

/** Why `bytes` are no JSON text within `bounds`; null when they are one. */
export function jsonFault(bytes: Uint8Array, bounds: JsonBounds): JsonFault | null {
  if (shared.length < bounds.depth) shared = new Uint8Array(bounds.depth);
  return new Checker(bytes, bounds, shared).run(bytes.length);
}

/** As {@link jsonFault}; the event loop turns while a large text is checked. */
export async function jsonFaultInTurns(
  bytes: Uint8Array,
  bounds: JsonBounds,
): Promise<JsonFault | null> {
  if (bytes.length <= SLICE_BYTES) return jsonFault(bytes, bounds);
  const checker = new Checker(bytes, bounds);
  for (let until = SLICE_BYTES; until < bytes.length; until += SLICE_BYTES) {
    const fault = checker.run(until);
    if (fault !== null) return fault;
    await new Promise<void>((resolve) => setTimeout(resolve, 0));
  }
  return checker.run(bytes.length);
}
