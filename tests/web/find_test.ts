/** The front page without scripts: pages back and forth, and filters by license and author. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { seed } from "../bench/seed.ts";
import { prepareDataDir } from "../helpers/database.ts";
import { type Loaded, personAt, startSite, withDatabase } from "./harness.ts";
import { listQueryOf, readWanted } from "../../src/web/find/query.ts";

const HOSTILE = `<img src=x onerror="hacked()"> ${"x".repeat(60)} שלום`;

function namesOn({ html }: Loaded): string[] {
  return [...html.matchAll(/<h3><a href="\/servers\/([^"]+)"/g)].map(([, name]) => name!);
}

/** Addresses of links whose text begins with `text`, as a browser has them. */
function linkOn(page: Loaded, text: string): string | null {
  for (const [, attributes, content] of page.html.matchAll(/<a ([^>]*)>([\s\S]*?)<\/a>/g)) {
    const shown = content!.replaceAll(/<[^>]*>/g, "");
    if (!shown.startsWith(text)) continue;
    return /href="([^"]*)"/.exec(attributes!)![1]!.replaceAll("&amp;", "&");
  }
  return null;
}

Deno.test("the front page leads forth and back and filters, all by addresses", async (t) => {
  const dataDir = await prepareDataDir();
  await withDatabase(dataDir, async (sql) => {
    await seed(sql, 45);
    await sql`update servers set author = ${HOSTILE}, author_key = 'hostile'
      where name in (select name from servers order by name limit 3)`;
  });
  const site = await startSite({ dataDir });
  const anybody = personAt(site);
  async function follow(page: Loaded, text: string): Promise<Loaded> {
    const href = linkOn(page, text);
    assert(href !== null, `no link "${text}" on ${page.url}`);
    return await anybody.load(href);
  }
  try {
    for (const order of ["name", "updated", "created", "popular"]) {
      await t.step(`pages forth and back, by ${order}`, async () => {
        const pages = [await anybody.load(`/?sort=${order}`)];
        while (linkOn(pages.at(-1)!, "Next page") !== null) {
          pages.push(await follow(pages.at(-1)!, "Next page"));
        }
        assertEquals(pages.map((page) => namesOn(page).length), [20, 20, 5]);
        assertEquals(new Set(pages.flatMap(namesOn)).size, 45);
        let page = pages[2]!;
        for (const earlier of [pages[1]!, pages[0]!]) {
          page = await follow(page, "Previous page");
          assertEquals(namesOn(page), namesOn(earlier));
        }
        assertEquals(linkOn(page, "Previous page"), null);
        assertEquals(namesOn(await follow(pages[2]!, "First page")), namesOn(pages[0]!));
      });
    }

    await t.step("licenses and authors filter, count what they leave, and are let go", async () => {
      const all = await anybody.load("/?sort=name&lang=python");
      const count = Number(/>MIT<\/bdi><span class="count">(\d+)</.exec(all.html)?.[1]);
      const mit = await follow(all, "MIT");
      assertEquals([...mit.url.searchParams], [
        ["lang", "python"],
        ["license", "MIT"],
        ["sort", "name"],
      ]);
      assertStringIncludes(mit.html, `${count} servers found`);
      assertMatch(mit.html, /aria-current="true"><bdi>MIT/);
      const any = await follow(mit, "Any license");
      assertEquals(any.url.search, "?lang=python&sort=name");
      assertEquals(namesOn(any), namesOn(all));
      const rare = await anybody.load("/?author=Nobody");
      assertMatch(rare.html, /aria-current="true"><bdi>Nobody/);
      assertStringIncludes(rare.html, "No matching servers");
    });

    await t.step("hostile authors are shown as text, and found", async () => {
      const all = await anybody.load("/?sort=name");
      assert(!all.html.includes("<img src=x"), "the author's markup is in the page");
      const link = linkOn(all, "&lt;img src=x");
      assert(link !== null);
      assertEquals(new URL(link, site.url).searchParams.get("author"), HOSTILE);
    });
  } finally {
    await site.close();
    await Deno.remove(dataDir, { recursive: true });
  }
});

Deno.test("listQueryOf() tells faulty filters in words for visitors", () => {
  const asked = listQueryOf(readWanted(new URLSearchParams("lang=cobol&price=-1&sort=by")), null);
  assertEquals("faults" in asked && asked.faults, [
    { field: "lang", message: "must be one of python, javascript, typescript, go, rust" },
    { field: "max_price", message: "must be an amount such as 4.50" },
    { field: "sort", message: "must be one of name, updated, created, popular, relevance" },
  ]);
});
