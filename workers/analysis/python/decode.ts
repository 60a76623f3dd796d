/**
 * Bytes of a Python file as CPython's tokenizer reads them: byte order mark, coding cookie (PEP
 * 263), line ends. What the tokenizer refuses, or decodes by a codec that is not read here in the
 * same way, has no text. `berth_runtime/scanned/decoding.py` holds sessions to the same.
 *
 * @module
 */

/** The text, or why there is none. */
export type PythonText = { kind: "text"; text: string } | { kind: "refused"; reason: string };

const BOM = [0xef, 0xbb, 0xbf];
const LF = 10;
const CR = 13;
/** A line of nothing but a comment, and what a cookie in it names. */
const COMMENT = /^[ \t\f]*(?:#(.*))?$/s;
const COOKIE = /coding[:=][ \t]*([-_.a-zA-Z0-9]+)/;

/** How the interpreter decodes by itself, without asking a codec that a program could replace. */
const DECODERS: Record<string, string> = {
  "utf-8": "utf-8",
  utf8: "utf-8",
  ascii: "ascii",
  "us-ascii": "ascii",
  latin1: "latin-1",
  "latin-1": "latin-1",
  "iso-8859-1": "latin-1",
  "iso8859-1": "latin-1",
};

/** What a cookie stands for: the spellings that CPython's tokenizer and decoder know by heart. */
function encodingOf(cookie: string): string | null {
  const name = cookie.toLowerCase().replaceAll("_", "-");
  if (name.startsWith("utf-8-")) return "utf-8";
  if (/^(latin-1|iso-8859-1|iso-latin-1)(-|$)/.test(name)) return "latin-1";
  return Object.hasOwn(DECODERS, name) ? DECODERS[name]! : null;
}

/** Where the second line ends. */
function headEnd(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = 0; at < bytes.length; at++) {
    const isEnd = bytes[at] === LF || bytes[at] === CR && bytes[at + 1] !== LF;
    if (isEnd && ++lines === 2) return at;
  }
  return bytes.length;
}

/** The cookie of the first two lines; null without one. */
function cookieOf(bytes: Uint8Array): string | null {
  const head = byteText(bytes.subarray(0, headEnd(bytes)));
  for (const line of head.split(/\r\n?|\n/, 2)) {
    const comment = COMMENT.exec(line);
    if (comment === null) return null;
    const cookie = COOKIE.exec(comment[1] ?? "")?.[1];
    if (cookie !== undefined) return cookie;
  }
  return null;
}

/** A character for each byte; `TextDecoder` takes Latin-1 for a code page of Windows. */
function byteText(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 8192) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)));
  }
  return parts.join("");
}

function decoded(bytes: Uint8Array, encoding: string): string | null {
  if (encoding === "latin-1") return byteText(bytes);
  if (encoding === "ascii" && bytes.some((byte) => byte > 0x7f)) return null;
  try {
    // The byte order mark is off already; another one is a character.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function refused(why: string): PythonText {
  return { kind: "refused", reason: `cannot be read as Python source: ${why}` };
}

/** Decodes a Python file; line ends are line feeds after that, as the tokenizer makes them. */
export function decodePython(bytes: Uint8Array): PythonText {
  const marked = BOM.every((byte, at) => bytes[at] === byte);
  const body = marked ? bytes.subarray(BOM.length) : bytes;
  const cookie = cookieOf(body);
  const encoding = cookie === null ? "utf-8" : encodingOf(cookie);
  if (encoding === null) return refused(`its encoding is ${cookie!.slice(0, 40)}`);
  if (marked && encoding !== "utf-8") {
    return refused(
      `its byte order mark says UTF-8, its encoding declaration ${cookie!.slice(0, 40)}`,
    );
  }
  if (body.includes(0)) return refused("it contains NUL characters");
  const text = decoded(body, encoding);
  if (text === null) return refused(`it is not valid ${encoding}`);
  return { kind: "text", text: text.replace(/\r\n?/g, "\n") };
}
