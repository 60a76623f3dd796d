import { assert, assertEquals } from "@std/assert";
import { createHiding } from "../../src/text/hide.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function hiding(value: string) {
  return createHiding([{ from: bytes(value), to: bytes("[KEY]") }], 6);
}

const json = (text: string) => JSON.stringify(text).slice(1, -1);
const ascii = (text: string) =>
  text.replace(
    /[\u0080-\uffff]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
const html = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const named = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("ü", "&uuml;").replaceAll("ß", "&szlig;");
const WAYS: [string, (text: string) => string][] = [
  ["as it is", String],
  ["JSON", json],
  ["JSON in JSON", (text) => json(json(text))],
  ["JSON in JSON in JSON", (text) => json(json(json(text)))],
  ["ASCII JSON", (text) => ascii(json(text))],
  ["ASCII JSON in JSON", (text) => json(ascii(json(text)))],
  ["percent signs", encodeURIComponent],
  ["percent signs twice", (text) => encodeURIComponent(encodeURIComponent(text))],
  ["percent signs in JSON", (text) => json(encodeURIComponent(text))],
  ["HTML", html],
  ["names of HTML", named],
  ["HTML in JSON", (text) => json(html(text))],
  ["HTML twice", (text) => html(html(text))],
  ["escaped slashes", (text) => json(text).replaceAll("/", "\\/")],
];
const VALUES = [
  "plainkey123",
  'Grüße"aus/Köln\\n&<2026>',
  "tabs\tand\nlines 😀 end",
  "100%25sure%41now",
  "u0041nabcdef",
  "\\\\\\\\\\\\\\\\",
];

Deno.test("a text is found under layers of escapes, and all of it is taken out", () => {
  for (const value of VALUES) {
    for (const [name, way] of WAYS) {
      const found = hiding(value).text(`<a ${way(value)} b ${way(value)}>`);
      assertEquals(found, "<a [KEY] b [KEY]>", `${name}: ${value}`);
    }
  }
});

Deno.test("what is not the text stays as it is, escapes and all", () => {
  const text = 'C:\\new\\u00e9 100% &amp; %41 {"a": "\\n"} plainkey12';
  assertEquals(hiding("plainkey123").text(text), text);
});

Deno.test("a text is found wherever it stands in a long one, escapes before it or not", async () => {
  const value = 'key "with" 31 bytes & a 😀';
  for (const filler of ["x", "\\\\", "%41", "\\ud83d\\ude00", "&amp;"]) {
    for (let shift = 0; shift < 8; shift++) {
      const start = "y".repeat(shift) + filler.repeat(Math.ceil(131_000 / filler.length));
      const whole = start + json(value) + filler.repeat(200) + value;
      const found = await hiding(value).inTurns(bytes(whole));
      assert(found !== null);
      const wanted = `${start}[KEY]${filler.repeat(200)}[KEY]`;
      assert(new TextDecoder().decode(found) === wanted, `${filler} ${shift}`);
    }
  }
});

Deno.test("texts that repeat themselves are found in steps that grow with the text alone", () => {
  const half = "a".repeat(8191);
  for (const value of [`${half}b${half}`, `b${half}${half}`, `${half}${half}b`]) {
    const near = bytes("a".repeat(1024 * 1024));
    assertEquals(hiding(value).now(near), null);
    assertEquals(hiding(value).text(`a${value}aa${value}`), "a[KEY]aa[KEY]");
  }
  assertEquals(hiding("a".repeat(16_384)).text("a".repeat(1024 * 1024)), "[KEY]");
});

Deno.test("no text is too long or too strange to be looked for", () => {
  const strange = "(.*+?[a-z]|$^){1,9}\\".repeat(800);
  assertEquals(hiding(strange).text(`x${strange}y`), "x[KEY]y");
});

Deno.test("others have their turn while a long text is searched", async () => {
  let turns = 0;
  const timer = setInterval(() => turns++);
  const text = bytes("a".repeat(4 * 1024 * 1024));
  await hiding(`${"a".repeat(2000)}b`).inTurns(text);
  clearInterval(timer);
  assert(turns >= 3, `${turns}`);
});

Deno.test("a text whose characters stand apart is found where that is wanted", () => {
  const hidden = [{ from: bytes("plain-key-123"), to: bytes("[KEY]") }];
  const apart = createHiding(hidden, 6, { apartFrom: 10 });
  for (const text of ["p l a i n k e y 1 2 3", "plain\r\n-key\r\n-123", '"plain", "key", "123"']) {
    assertEquals(hiding("plain-key-123").text(`<${text}>`), `<${text}>`);
    assertEquals(apart.text(`<${text}>`).replaceAll('"', ""), "<[KEY]>");
  }
  assertEquals(apart.text("plain-key-12, 4"), "plain-key-12, 4");
  // Too few of them are found only as they are.
  const few = createHiding([{ from: bytes("a-b-c-d!"), to: bytes("[KEY]") }], 6, { apartFrom: 10 });
  assertEquals(few.text("abcd a-b-c-d!"), "abcd [KEY]");
});
