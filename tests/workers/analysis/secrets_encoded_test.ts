import { assertEquals } from "@std/assert";
import { decodedParts } from "../../../workers/analysis/secrets/packed/encoded.ts";

const base64 = (text: string) => new TextEncoder().encode(text).toBase64();
const hidden = "password is hunter2, do not tell";

/** What is decoded, with the encoded form at its place. */
function decodedIn(text: string): [encoded: string, decoded: string][] {
  return decodedParts(text).map((part) => [
    text.slice(part.at, part.at + part.length),
    part.text,
  ]);
}

Deno.test("decodedParts() finds Base64 wherever it stands", () => {
  const encoded = base64(hidden);
  for (
    const [before, after] of [["", ""], ["x = '", "'"], ["# é\n", "\n"], ["a ".repeat(40), " b"]]
  ) {
    assertEquals(decodedIn(`${before}${encoded}${after}`), [[encoded, hidden]]);
  }
  assertEquals(decodedIn(`${encoded}\n\n"${encoded}" 'short'`), [
    [encoded, hidden],
    [encoded, hidden],
  ]);
});

Deno.test("decodedParts() joins Base64 that was broken into lines", () => {
  const long = hidden.repeat(8);
  const lines = base64(long).match(/.{1,60}/g)!.join("\\\n    ");
  assertEquals(decodedIn(`key = '${lines}'`), [[lines, long]]);
});

Deno.test("decodedParts() continues in a run that is too long for one part", () => {
  const encoded = base64("plain text, and more of it. ".repeat(2000));
  const parts = decodedParts(encoded);
  assertEquals(parts.map(({ at }) => at), [0, 20_000, 40_000, 60_000]);
  assertEquals(parts.reduce((sum, { length }) => sum + length, 0), encoded.length);
});

Deno.test("decodedParts() finds digits, escapes and percent-encoding, and no plain percent signs", () => {
  const bytes = new TextEncoder().encode(hidden);
  const hex = bytes.toHex();
  const escapes = hex.replace(/../g, "\\x$&");
  const percent = hex.replace(/../g, "%$&");
  for (const encoded of [hex, escapes, percent]) {
    assertEquals(decodedIn(`'${encoded}'`), [[encoded, hidden]]);
  }
  assertEquals(decodedIn("'%d of %s' % (100, '50%')"), []);
});
