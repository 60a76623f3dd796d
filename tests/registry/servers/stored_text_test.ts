import { assert, assertEquals } from "@std/assert";
import { searchForm, storable, summarize } from "../../../src/registry/servers/stored_text.ts";

Deno.test("summarize() cuts at a word, never in a character, and only what is long", () => {
  assertEquals(summarize("  Short\n text "), "Short text");
  assertEquals(summarize("x".repeat(200)), "x".repeat(200));
  const cut = summarize(`${"word ".repeat(38)}and, then. more words than fit`);
  assert(cut.endsWith("word and…"), cut);
  assertEquals(Array.from(summarize("x".repeat(500))).length, 200);
  const emoji = summarize("😀".repeat(300));
  assert(emoji.isWellFormed() && Array.from(emoji).length === 200);
});

Deno.test("searchForm() is one line of compatible lower case", () => {
  assertEquals(searchForm(" ＡＢ\n\tÇ "), "ab ç");
});

Deno.test("storable() replaces what PostgreSQL cannot store, however deep", () => {
  assertEquals<unknown>(storable({ "a\0": ["b\0", { c: "\ud83d", d: 1, e: null }], f: "😀" }), {
    "a\ufffd": ["b\ufffd", { c: "\ufffd", d: 1, e: null }],
    f: "😀",
  });
});
