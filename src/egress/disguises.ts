/**
 * The forms in which services and code write a text: as it is, in base64, hexadecimal, percent
 * signs, escapes of JSON and HTML.
 *
 * @module
 */
import { Buffer } from "node:buffer";

/** What is looked for, and what takes its place. */
export type Replacement = readonly [from: Uint8Array, to: Uint8Array];

/** Fewer bytes would be found in ordinary text. */
const FROM_MIN = 6;

const bytes = (text: string, encoding: "utf8" | "latin1" = "utf8") => Buffer.from(text, encoding);

const percent = (text: string) =>
  [...bytes(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
const unicode = (text: string) =>
  Array.from(
    { length: text.length },
    (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`,
  ).join("");
const entities = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;").replaceAll("'", "&#39;");

/**
 * The part of base64 that does not depend on what stands around, for each of three places that the
 * text can begin at.
 */
function base64Parts(text: string): string[] {
  return [0, 1, 2].map((before) => {
    const all = Buffer.concat([Buffer.alloc(before), bytes(text)]);
    const whole = all.subarray(0, all.length - all.length % 3);
    return whole.toString("base64").slice(before === 0 ? 0 : 4);
  });
}

/** Ways in which each character is escaped, or not: {@link looselyIn} finds them all. */
function escapes(text: string): string[] {
  return [
    text,
    encodeURIComponent(text),
    JSON.stringify(text).slice(1, -1),
    entities(text),
    percent(text),
    unicode(text),
    text.toUpperCase(),
    text.toLowerCase(),
  ];
}

/** Other ways that are told from a text without a key. */
function encodings(text: string): string[] {
  return [
    encodeURIComponent(text).replaceAll("%20", "+"),
    bytes(text).toString("hex"),
    bytes(text).toString("hex").toUpperCase(),
    [...text].reverse().join(""),
    [...bytes(text)].join(", "),
    [...bytes(text)].join(","),
    [...text].join(" "),
    bytes(text).toString("base64"),
    bytes(text).toString("base64url"),
    ...base64Parts(text),
    ...base64Parts(text).map((part) => part.replaceAll("+", "-").replaceAll("/", "_")),
  ];
}

/** Every usual way to write `text`. */
export function disguisesOf(text: string): Uint8Array[] {
  const all = new Set([...escapes(text), ...encodings(text)]);
  return [...all].filter((each) => each.length >= FROM_MIN).map((each) => bytes(each));
}

/** `text` as it is and encoded, with `instead` written the same way. */
export function encodedAs(text: string, instead: string): Replacement[] {
  const [from, to] = [text, instead].map((each) => [each, ...encodings(each)]) as [
    string[],
    string[],
  ];
  const found = from.map((each, at): Replacement => [bytes(each), bytes(to[at]!)]);
  return found.filter(([each], at) => each.length >= FROM_MIN && from.indexOf(from[at]!) === at);
}

function looseByte(byte: number): string {
  const hex = byte.toString(16).padStart(2, "0");
  const plain = RegExp.escape(String.fromCharCode(byte));
  return `(?:\\\\?${plain}|%${hex}|\\\\u00${hex}|\\\\x${hex}|&#(?:0*${byte}|x0*${hex});)`;
}

/**
 * Finds `text` where some of its characters are escaped, in capitals or not: percent signs, JSON,
 * HTML. Each alternative begins with another character, so the search never goes back.
 *
 * @param text To be found in text of one character a byte.
 */
export function looselyIn(text: string): RegExp {
  return new RegExp([...bytes(text)].map(looseByte).join(""), "gi");
}

/** Bytes that are searched without a break. */
const WINDOW = 512 * 1024;
/** Characters that a byte takes where it is escaped, at most. */
const ESCAPED_MAX = 12;

/** Others have their turn. */
async function turn(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
}

/** `bytes` with what `pattern` finds replaced; null when it finds nothing. */
export async function replaceLoose(
  bytes: Uint8Array,
  { pattern, length, to }: { pattern: RegExp; length: number; to: Uint8Array },
): Promise<Uint8Array | null> {
  const whole = view(bytes);
  const parts: Uint8Array[] = [];
  let done = 0;
  for (let start = 0; start < whole.length; start += WINDOW) {
    if (start > 0) await turn();
    const end = start + WINDOW + length * ESCAPED_MAX;
    for (const found of whole.subarray(start, end).toString("latin1").matchAll(pattern)) {
      const at = start + found.index;
      if (at < done || found.index >= WINDOW) continue;
      parts.push(whole.subarray(done, at), to);
      done = at + found[0].length;
    }
  }
  return parts.length === 0 ? null : Buffer.concat([...parts, whole.subarray(done)]);
}

function view({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function replaceOne(text: Buffer, [from, to]: Replacement): Buffer | null {
  let at = text.indexOf(from);
  if (at < 0) return null;
  const parts: Uint8Array[] = [];
  let start = 0;
  while (at >= 0) {
    parts.push(text.subarray(start, at), to);
    start = at + from.byteLength;
    at = text.indexOf(from, start);
  }
  return Buffer.concat([...parts, text.subarray(start)]);
}

/** `bytes` with what is found replaced; null when nothing is. */
export async function replaceExact(
  bytes: Uint8Array,
  replacements: readonly Replacement[],
): Promise<Uint8Array | null> {
  let text = view(bytes);
  let changed = false;
  for (const replacement of replacements) {
    if (text.length > WINDOW) await turn();
    const next = replaceOne(text, replacement);
    changed ||= next !== null;
    text = next ?? text;
  }
  return changed ? text : null;
}

/** What goes out in the place of what sandboxed code has written. */
export function replaceIn(body: Uint8Array, replacement: Replacement): Uint8Array {
  return replaceOne(view(body), replacement) ?? body;
}
