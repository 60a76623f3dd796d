/**
 * JSON text that was checked and is passed on as it came: nobody rounds its numbers, and nobody
 * builds its values.
 *
 * @module
 */
import { concat } from "../bytes.ts";
import { type JsonBounds, type JsonFault, jsonFault, jsonFaultInTurns } from "./json_check.ts";
import { countValues, itemSpans, memberSpans, nameAt, type Span } from "./json_walk.ts";

/** Values of a text that is read as a whole: building more takes the process's time. */
export const VALUES_MAX = 10_000;

const DECODER = new TextDecoder();
const ENCODER = new TextEncoder();
const QUOTE = 0x22;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;
/** What `null` begins with, and nothing else. */
const NULL = 0x6e;
/** Longest key that is looked at, in bytes with its quotes: no name that Berth knows is as long. */
const KEY_MAX_BYTES = 1024;
const INTEGER = /^-?(?:0|[1-9][0-9]*)$/;

/** `JSON` as engines have it (ECMAScript 2026), which the library's types do not know yet. */
const { parse, rawJSON } = JSON as unknown as {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): unknown;
};

/** A value in checked JSON text. */
export class RawJson {
  private constructor(readonly bytes: Uint8Array) {}

  /** An object without members. */
  static readonly EMPTY = new RawJson(ENCODER.encode("{}"));

  /** The text in `bytes`, or why it is none. */
  static read(bytes: Uint8Array, bounds: JsonBounds): RawJson | JsonFault {
    return jsonFault(bytes, bounds) ?? new RawJson(bytes);
  }

  /** As {@link RawJson.read}; the event loop turns while a large text is checked. */
  static async readInTurns(bytes: Uint8Array, bounds: JsonBounds): Promise<RawJson | JsonFault> {
    return await jsonFaultInTurns(bytes, bounds) ?? new RawJson(bytes);
  }

  /** Text that was put together from checked pieces. */
  static checked(bytes: Uint8Array): RawJson {
    return new RawJson(bytes);
  }

  /** The text of a value of Berth's own. */
  static of(value: unknown): RawJson {
    return value instanceof RawJson ? value : new RawJson(jsonBytes(value));
  }

  #at({ from, to }: Span): RawJson {
    return new RawJson(this.bytes.subarray(from, to));
  }

  get #first(): number {
    let at = 0;
    while (this.bytes[at]! <= 0x20) at++;
    return this.bytes[at]!;
  }

  get isObject(): boolean {
    return this.#first === OPEN_OBJECT;
  }

  get isList(): boolean {
    return this.#first === OPEN_LIST;
  }

  get isString(): boolean {
    return this.#first === QUOTE;
  }

  get isNull(): boolean {
    return this.#first === NULL;
  }

  /** As characters; only for texts that are known to be short, or flat. */
  text(): string {
    return DECODER.decode(this.bytes);
  }

  /** Items of a list; of anything else none. */
  *items(): Generator<RawJson> {
    if (!this.isList) return;
    for (const span of itemSpans(this.bytes)) yield this.#at(span);
  }

  /** Members of an object, with their keys as text; of anything else none. */
  *members(): Generator<[key: RawJson, value: RawJson]> {
    if (!this.isObject) return;
    for (const { key, value } of memberSpans(this.bytes)) yield [this.#at(key), this.#at(value)];
  }

  /** Members with these names, in order. */
  *#named<Name extends string>(names: readonly Name[]): Generator<[name: Name, value: RawJson]> {
    if (!this.isObject) return;
    for (const { key, value } of memberSpans(this.bytes)) {
      if (key.to - key.from > KEY_MAX_BYTES) continue;
      // Nearly every key can be told by its bytes.
      const seen = nameAt(this.bytes, key, names);
      const name = seen === null ? this.#at(key).string() as Name : seen;
      if (name !== undefined && (seen !== null || names.includes(name))) {
        yield [name, this.#at(value)];
      }
    }
  }

  /**
   * Members with these names, which are ASCII; of several with one name the last, as everyone reads
   * JSON.
   */
  pick<Name extends string>(...names: Name[]): Partial<Record<Name, RawJson>> {
    const found: Partial<Record<Name, RawJson>> = {};
    for (const [name, value] of this.#named(names)) found[name] = value;
    return found;
  }

  /**
   * As {@link RawJson.pick}; null when one of the names is there twice. What a server says is passed
   * on as it is: of two members a client may take the one that was not looked at.
   */
  pickOnce<Name extends string>(...names: Name[]): Partial<Record<Name, RawJson>> | null {
    const found: Partial<Record<Name, RawJson>> = {};
    for (const [name, value] of this.#named(names)) {
      if (Object.hasOwn(found, name)) return null;
      found[name] = value;
    }
    return found;
  }

  member(name: string): RawJson | undefined {
    return this.pick(name)[name];
  }

  /** The key that this text is; null when it is longer than any that Berth knows. */
  key(): string | null {
    return this.bytes.length > KEY_MAX_BYTES ? null : this.string();
  }

  /** The string that this is, of at most `max` bytes of text; null when it is none. */
  string(max = Infinity): string | null {
    if (!this.isString || this.bytes.length > max) return null;
    return JSON.parse(this.text()) as string;
  }

  /** The number that this is; null when it is none. */
  number(): number | null {
    if (this.bytes.length > KEY_MAX_BYTES || this.isString) return null;
    const value: unknown = this.isObject || this.isList ? null : JSON.parse(this.text());
    return typeof value === "number" ? value : null;
  }

  /** The integer that this is, whatever its size up to 1,000 digits; null when it is none. */
  integer(): number | bigint | null {
    const number = this.number();
    if (number === null) return null;
    if (Number.isSafeInteger(number)) return number;
    const text = this.text().trim();
    return INTEGER.test(text) ? BigInt(text) : null;
  }

  /** The value; undefined when it holds more than {@link VALUES_MAX} values. */
  value(most = VALUES_MAX): unknown {
    return countValues(this.bytes, most) > most ? undefined : JSON.parse(this.text());
  }

  /** As {@link RawJson.value}; undefined also when an object in it has a name twice. */
  singleValue(most = VALUES_MAX): unknown {
    const count = countValues(this.bytes, most);
    if (count > most) return undefined;
    const value: unknown = JSON.parse(this.text());
    return builtValues(value) === count ? value : undefined;
  }

  /**
   * The value, in which a number that JavaScript would change stands as its text, so that
   * `JSON.stringify` writes it as it was. Undefined as for {@link RawJson.value}.
   */
  exactValue(most = VALUES_MAX): unknown {
    return countValues(this.bytes, most) > most ? undefined : parseExact(this.text());
  }
}

/** A number that `JSON.stringify` writes as `text`, which must be one. */
export function rawNumber(text: string): unknown {
  return rawJSON(text);
}

/** `value` with numbers that stand as their text as JavaScript has them. */
export function plainNumbers(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value) ?? "null");
}

/** How many values there are in `value`, itself included. */
function builtValues(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, member) => sum + builtValues(member), 1);
}

/** The value of JSON text; numbers that JavaScript would change stand as their text. */
export function parseExact(text: string): unknown {
  return parse(text, (_key, value, { source }) => {
    if (typeof value !== "number" || source === undefined || String(value) === source) return value;
    return rawJSON(source);
  });
}

/** `value` as JSON text; {@link RawJson} in it is put there as it is, and integers are of any size. */
export function jsonBytes(value: unknown): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  const rest = write(value, "", parts);
  return parts.length === 0 ? ENCODER.encode(rest) : joined([...parts, rest]);
}

/** Whether `value` is written member by member: it may hold what `JSON.stringify` cannot write. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null &&
    Object.getPrototypeOf(value) === Object.prototype;
}

/**
 * Writes `value` behind `text`, which is in no part yet.
 *
 * @returns The text that is in no part now.
 */
function write(value: unknown, text: string, parts: Uint8Array[]): string {
  if (value instanceof RawJson) {
    parts.push(ENCODER.encode(text), value.bytes);
    return "";
  }
  if (typeof value === "bigint") return text + String(value);
  if (Array.isArray(value)) {
    let front = "[";
    // Also places without an item.
    for (let at = 0; at < value.length; at++) {
      text = write(value[at] ?? null, text + front, parts);
      front = ",";
    }
    return text + (front === "[" ? "[]" : "]");
  }
  if (!isPlain(value)) return text + (JSON.stringify(value) ?? "null");
  let front = "{";
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (member === undefined) continue;
    text = write(member, `${text}${front}${JSON.stringify(key)}:`, parts);
    front = ",";
  }
  return text + (front === "{" ? "{}" : "}");
}

/** Pieces as one: no text is copied twice. */
export function joined(parts: readonly (string | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  let text = "";
  for (const part of parts) {
    if (typeof part === "string") {
      text += part;
      continue;
    }
    if (text !== "") pieces.push(ENCODER.encode(text));
    pieces.push(part);
    text = "";
  }
  if (text !== "") pieces.push(ENCODER.encode(text));
  return concat(pieces);
}
