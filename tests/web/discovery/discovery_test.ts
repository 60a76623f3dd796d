/** What search engines, readers of feeds and previews of links are told. */
import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import type { ListedServer } from "../../../src/web/layout/listed.ts";
import { atomOf } from "../../../src/web/discovery/feeds.ts";
import { scriptText, softwareOf } from "../../../src/web/discovery/structured.ts";
import { xmlText } from "../../../src/web/discovery/xml.ts";
import { markSvg } from "../../../src/web/layout/mark.tsx";

const HOSTILE = [
  "</script><script>alert(1)</script>",
  "]]><x/>&entity;",
  '"><img src=x onerror=alert(1)>',
  "<!-- <script>",
  "\u2028\u2029",
  "a\u0000b\u000b\ufffe\ud800",
  "${process.env}",
];

const AT = new Date("2026-05-01T12:00:00Z");

function server(text: string): ListedServer {
  return {
    name: "weather",
    version: "1.0.0",
    description: text,
    author: text,
    createdAt: AT,
    updatedAt: AT,
  } as ListedServer;
}

Deno.test("xmlText() leaves nothing of markup, and only characters of XML", () => {
  for (const text of HOSTILE) {
    assertFalse(/[<>"'\ud800-\udfff]/.test(xmlText(text)), text);
    // deno-lint-ignore no-control-regex
    assertFalse(/[\u0000-\u0008\u000b\ufffe]/.test(xmlText(text)), text);
  }
});

Deno.test("atomOf() has absolute addresses and keeps hostile texts within their elements", () => {
  for (const text of HOSTILE) {
    const feed = {
      path: `/feeds/authors/${encodeURIComponent(text.toWellFormed())}`,
      page: "/",
      title: text,
      order: "updated" as const,
    };
    const atom = atomOf(feed, [server(text)], {
      publicUrl: "https://berth.example/base",
      empty: AT,
    });
    const elements = [...atom.matchAll(/<\/?([^\s>/]+)/g)].map(([, name]) => name);
    const known = ["?xml", "feed", "id", "title", "link", "updated", "entry", "published"];
    const all = new Set([...known, "author", "name", "summary"]);
    assertEquals(elements.filter((name) => !all.has(name!)), [], atom);
    assertStringIncludes(atom, "<id>https://berth.example/base/servers/weather#1.0.0</id>");
    for (const [, address] of atom.matchAll(/href="([^"]*)"/g)) {
      assert(address!.startsWith("https://berth.example/base/"), address);
    }
  }
});

Deno.test("scriptText() cannot be ended by what a server says of itself", () => {
  for (const text of HOSTILE) {
    const detail = {
      ...server(text),
      license: "MIT",
      category: "other",
      pricing: { amount: 0, currency: "USD" },
      created_at: AT.toISOString(),
      updated_at: AT.toISOString(),
    };
    const written = scriptText(softwareOf(detail as never, "https://berth.example"));
    assertFalse(/[<>&\u2028\u2029]/.test(written), written);
    const read = JSON.parse(written);
    assertEquals(read["@type"], "SoftwareApplication");
    assertEquals(read.description, text.toWellFormed());
    assertEquals(read.url, "https://berth.example/servers/weather");
  }
});

Deno.test("markSvg() is the same for a name, and well-formed", () => {
  assertEquals(markSvg("weather"), markSvg("weather"));
  assert(markSvg("weather") !== markSvg("mail-sender"));
  assertStringIncludes(markSvg("mail-sender"), ">ms</text>");
});
