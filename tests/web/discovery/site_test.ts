/** Sitemaps, feeds, cards and marks of a registry that runs. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { startSite } from "../harness.ts";

Deno.test("web: crawlers and readers of feeds are told of this registry by its own addresses", async () => {
  const site = await startSite({ environmentOf: (url) => ({ REGISTRY_URL: url }) });
  const get = async (path: string) => {
    const response = await fetch(site.url + path);
    return {
      status: response.status,
      type: response.headers.get("content-type") ?? "",
      bytes: new Uint8Array(await response.arrayBuffer()),
    };
  };
  const text = async (path: string) => new TextDecoder().decode((await get(path)).bytes);
  try {
    assertStringIncludes(await text("/robots.txt"), `Sitemap: ${site.url}/sitemap.xml`);
    const index = await text("/sitemap.xml");
    assertStringIncludes(index, `<loc>${site.url}/sitemaps/pages.xml</loc>`);
    assertStringIncludes(await text("/sitemaps/pages.xml"), `<loc>${site.url}/start</loc>`);
    for (const file of ["servers-1.xml", "servers-0.xml", "servers-99999.xml", "x", "..%2fx"]) {
      assertEquals((await get(`/sitemaps/${file}`)).status, 404, file);
    }
    const author = encodeURIComponent("<a&b/c>");
    for (const path of ["/feeds/new.atom", "/feeds/updated.atom", `/feeds/authors/${author}`]) {
      const feed = await get(path);
      assertEquals(feed.status, 200, path);
      assertStringIncludes(feed.type, "application/atom+xml");
      const address = `${site.url}${path}`;
      assertStringIncludes(new TextDecoder().decode(feed.bytes), `rel="self"`);
      assertStringIncludes(new TextDecoder().decode(feed.bytes), `href="${address}"`);
    }
    const card = await get("/card.png");
    assertEquals([card.status, card.type], [200, "image/png"]);
    assertEquals(new DataView(card.bytes.buffer).getUint32(16), 1200);
    const mark = await get("/servers/weather/mark.svg");
    assertEquals([mark.status, mark.type], [200, "image/svg+xml"]);
    assertEquals((await get("/servers/%3Cb%3E/mark.svg")).status, 404);
    assertEquals((await get("/servers/weather/card.png")).status, 404);
    const front = await text("/");
    assert(front.includes(`property="og:image" content="${site.url}/card.png"`));
    assert(front.includes('type="application/atom+xml" href="/feeds/new.atom"'));
  } finally {
    await site.close();
  }
});
