/**
 * The forms in which services and code write a text: in base64, hexadecimal, backwards, in numbers.
 * Escapes are undone before these are looked for.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { ANY_CASE, createHiding, type Hidden, type Hiding } from "../text/hide.ts";

/** Fewer bytes would be found in ordinary text. */
const FOUND_MIN_BYTES = 6;
/** Letters and digits that are looked for where others stand between them: fewer could be met. */
const APART_MIN = 10;
/** Characters of base64 that belong together. */
const QUAD = 4;

const bytes = (text: string, encoding: "utf8" | "latin1" | "utf16le" = "utf8") =>
  Buffer.from(text, encoding);

/** Capitals count as small letters, the letters of URL-safe base64 as those of the other one. */
const FOLD = ANY_CASE.map((small, byte) => {
  const alike: Readonly<Record<string, string>> = { "-": "+", " ": "+", "_": "/" };
  return (alike[String.fromCharCode(byte)] ?? "").charCodeAt(0) || small;
});

/**
 * Finds base64 of more than `text`, for each of three places that it can begin at: by the part that
 * does not depend on what stands around. What does, and has some of the text in it, goes with it.
 */
function base64Around(text: string, instead: string): Hidden[] {
  return [0, 1, 2].map((before) => {
    const all = Buffer.concat([Buffer.alloc(before), bytes(text)]);
    const inner = all.subarray(0, all.length - all.length % 3);
    const edges = {
      before: before === 0 ? 0 : QUAD,
      behind: inner.length === all.length ? 0 : QUAD,
    };
    const from = bytes(inner.toString("base64").slice(edges.before));
    const written = " ".repeat(before) + instead;
    const to = bytes(bytes(written.padEnd(Math.ceil(written.length / 3) * 3)).toString("base64"));
    return { from, to, edges, isEncoded: true };
  });
}

/** As mails have it, without the ends of their lines. */
function quotedPrintable(text: Buffer): string {
  return text.toString("latin1").replace(
    /[=\x80-\xff]/g,
    (byte) => `=${Buffer.from(byte, "latin1").toString("hex")}`,
  );
}

/** Ways to write `text` that are told from it without a key, the plain one first. */
function formsOf(text: string): Buffer[] {
  const all = bytes(text);
  return [
    all,
    bytes(text.replace(/=+$/, "")),
    bytes(text, "latin1"),
    bytes(text.toLowerCase()),
    bytes(text.toUpperCase()),
    bytes(text, "utf16le"),
    bytes(all.toString("hex")),
    bytes([...text].reverse().join("")),
    bytes([...all].join(", ")),
    bytes([...all].join(",")),
    bytes([...text].join(" ")),
    bytes(all.toString("base64").replace(/=+$/, "")),
    bytes(quotedPrintable(all)),
  ];
}

/** Finds `text` however it is written, and puts `instead` there in the same form. */
function hiddenAs([text, instead, label = ""]: Sought): Hidden[] {
  const forms = formsOf(instead);
  const whole = formsOf(text).map((from, at) => ({ from, to: forms[at]!, isEncoded: at > 0 }));
  return [...whole, ...base64Around(text, instead)].map((one) => ({ ...one, label }));
}

/** A text that is looked for, what takes its place, and which of several it is. */
type Sought = readonly [text: string, instead: string, label?: string];

/** What takes texts out of others, however they are written there: those that come first count. */
export function hidingOf(all: readonly Sought[]): Hiding {
  const hidden = all.flatMap(hiddenAs);
  return createHiding(hidden, FOUND_MIN_BYTES, { fold: FOLD, apartFrom: APART_MIN });
}

/** How often `text` is in `body`. */
export function countIn(body: Uint8Array, text: string): number {
  const [all, from] = [view(body), bytes(text)];
  let count = 0;
  for (let at = all.indexOf(from); at >= 0; at = all.indexOf(from, at + from.length)) count++;
  return count;
}

/** `body` with `instead` in each of the `count` places of `text`. */
export function replaceIn(
  body: Uint8Array,
  text: string,
  { instead, count }: { instead: Uint8Array; count: number },
): Uint8Array {
  const [all, from] = [view(body), bytes(text)];
  const filled = new Uint8Array(all.length + count * (instead.length - from.length));
  let [done, into] = [0, 0];
  for (let at = all.indexOf(from); at >= 0; at = all.indexOf(from, done)) {
    filled.set(all.subarray(done, at), into);
    into += at - done;
    filled.set(instead, into);
    into += instead.length;
    done = at + from.length;
  }
  filled.set(all.subarray(done), into);
  return filled;
}

function view({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
