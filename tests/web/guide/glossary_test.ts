/** The glossary: its words, and links that lead to them. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { GLOSSARY } from "../../../src/web/guide/glossary.tsx";
import { startSite } from "../harness.ts";

/** Words that pages use without explaining them. */
const WORDS = [
  "mcp",
  "server",
  "tool",
  "client",
  "scan",
  "verdict",
  "finding",
  "sandbox",
  "session",
];

Deno.test("the glossary has the words of the pages", () => {
  for (const word of WORDS) assert(Object.hasOwn(GLOSSARY, word), word);
  for (const [word, meaning] of Object.values(GLOSSARY)) {
    assert(meaning.endsWith(".") && meaning.length > 40, word);
  }
});

Deno.test("the glossary is in alphabetical order, and links to its words lead to their meaning", async () => {
  const site = await startSite();
  try {
    const text = async (path: string) =>
      await (await fetch(site.url + path, { headers: { accept: "text/html" } })).text();
    const glossary = await text("/glossary");
    for (const [id, [word]] of Object.entries(GLOSSARY)) {
      assertStringIncludes(glossary, `<div id="${id}"><dt>${word}</dt>`);
    }
    const shown = [...glossary.matchAll(/<dt>([^<]+)<\/dt>/g)].map(([, word]) => word!);
    assertEquals(shown, shown.toSorted(new Intl.Collator("en").compare));
    for (const path of ["/", "/start"]) {
      const linked = [...(await text(path)).matchAll(/href="\/glossary#([a-z]+)"/g)];
      assert(linked.length > 0, path);
      for (const [, id] of linked) assertStringIncludes(glossary, `id="${id}"`);
    }
    assertStringIncludes(await text("/"), 'href="/glossary"');
  } finally {
    await site.close();
  }
});
