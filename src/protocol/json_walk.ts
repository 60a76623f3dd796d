/**
 * Finds values in JSON text that was checked (`json_check.ts`) by their places, without building
 * any.
 *
 * @module
 */

/** A piece of a text. */
export interface Span {
  from: number;
  to: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const SPACE = 0x20;
// Brackets and braces differ in one bit only.
const OPEN = 0x5b;
const CLOSE = 0x5d;
const BRACE_BIT = 0x20;

/** The first place from `at` on that is no blank. */
function past(bytes: Uint8Array, at: number): number {
  while (at < bytes.length && bytes[at]! <= SPACE) at++;
  return at;
}

function stringEnd(bytes: Uint8Array, at: number): number {
  for (at++; bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
  return at + 1;
}

/** The offset just behind the JSON value that begins at byte `at`. */
function valueEnd(bytes: Uint8Array, at: number): number {
  if (bytes[at] === QUOTE) return stringEnd(bytes, at);
  let depth = 0;
  for (; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) at = stringEnd(bytes, at) - 1;
    else if ((byte & ~BRACE_BIT) === OPEN) depth++;
    else if ((byte & ~BRACE_BIT) === CLOSE) {
      // What closes the container around it is not part of a number or word.
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (depth === 0 && (byte === COMMA || byte <= SPACE)) return at;
  }
  return at;
}

/** The place of each item of a list, in order. */
export function* itemSpans(bytes: Uint8Array): Generator<Span> {
  let at = past(bytes, past(bytes, 0) + 1);
  while (at < bytes.length && bytes[at] !== CLOSE) {
    const to = valueEnd(bytes, at);
    yield { from: at, to };
    at = past(bytes, to);
    if (bytes[at] === COMMA) at = past(bytes, at + 1);
  }
}

/** The places of key and value of each member of an object, in order. */
export function* memberSpans(bytes: Uint8Array): Generator<{ key: Span; value: Span }> {
  let at = past(bytes, past(bytes, 0) + 1);
  while (bytes[at] === QUOTE) {
    const key = { from: at, to: stringEnd(bytes, at) };
    at = past(bytes, key.to);
    if (bytes[at] === COLON) at = past(bytes, at + 1);
    const value = { from: at, to: valueEnd(bytes, at) };
    yield { key, value };
    at = past(bytes, value.to);
    if (bytes[at] === COMMA) at = past(bytes, at + 1);
  }
}

function isWritten(bytes: Uint8Array, { from, to }: Span, name: string): boolean {
  if (to - from !== name.length + 2) return false;
  for (let i = 0; i < name.length; i++) {
    if (bytes[from + 1 + i] !== name.charCodeAt(i)) return false;
  }
  return true;
}

/**
 * Which of `names`, of ASCII, the string at `span` is; undefined when it is another, null when that
 * cannot be seen from its bytes as it has escapes.
 */
export function nameAt<Name extends string>(
  bytes: Uint8Array,
  span: Span,
  names: readonly Name[],
): Name | undefined | null {
  for (const name of names) if (isWritten(bytes, span, name)) return name;
  for (let at = span.from; at < span.to; at++) if (bytes[at] === BACKSLASH) return null;
  return undefined;
}

/** How many values, keys left out, a text holds; counts to `most` + 1 at most. */
export function countValues(bytes: Uint8Array, most: number): number {
  let count = 0;
  let isInside = false;
  for (let at = 0; at < bytes.length && count <= most; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      at = stringEnd(bytes, at) - 1;
      if (bytes[past(bytes, at + 1)] !== COLON) count++;
      isInside = false;
    } else if ((byte & ~BRACE_BIT) === OPEN) {
      count++;
      isInside = false;
    } else if ((byte & ~BRACE_BIT) === CLOSE || byte === COMMA || byte === COLON || byte <= SPACE) {
      isInside = false;
    } else if (!isInside) {
      // A number or a word.
      count++;
      isInside = true;
    }
  }
  return count;
}
