/** Pages that need no browser to be checked: failures, headers, weight, the reference. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { VARIABLES } from "../../src/config.ts";
import { LIMITS } from "../../src/services/web.ts";
import { parseSignature } from "../../src/web/server/tools/signature.ts";
import { CLIENT_TABLE } from "../../src/mcp_clients/table.ts";
import { personAt, startSite } from "./harness.ts";

/** Most of a page with all that it loads, compressed. */
const WEIGHT_MAX = 150_000;

async function gzipped(text: string): Promise<number> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return (await new Response(stream).arrayBuffer()).byteLength;
}

Deno.test("web: pages load only what this service serves, are light, and forbid the rest", async () => {
  const site = await startSite({ environmentOf: (url) => ({ REGISTRY_URL: url }) });
  try {
    const anybody = personAt(site);
    for (const path of ["/", "/start", "/docs", "/?q=nothing", "/login-not-there"]) {
      const page = await anybody.load(path);
      const policy = page.headers.get("content-security-policy") ?? "";
      assertMatch(policy, /default-src 'none'; script-src 'self'; style-src 'self'/, path);
      assert(!policy.includes("unsafe"), path);
      assert(!/<[^>]+\s(style|on\w+)=/i.test(page.html), path);
      assertEquals((page.html.match(/<script/g) ?? []).length, 2, path);
      let weight = await gzipped(page.html);
      for (const [, address] of page.html.matchAll(/(?:src|href)="([^"#]*)"/g)) {
        if (!address!.startsWith("/assets/")) continue;
        const asset = await fetch(new URL(address!, site.url));
        assertEquals(asset.status, 200, address!);
        assertMatch(asset.headers.get("cache-control") ?? "", /immutable/);
        weight += await gzipped(await asset.text());
      }
      assert(weight < WEIGHT_MAX, `${path}: ${weight}`);
    }
    const reference = await anybody.load("/docs");
    for (const part of ["/api/v1/servers/{name}", "listServers", "ServerDetail"]) {
      assertStringIncludes(reference.html, part);
    }
    const start = await anybody.load("/start");
    for (const { label } of Object.values(CLIENT_TABLE)) {
      assertEquals(start.html.includes(label), label !== "Plain HTTP", label);
    }
    const front = await anybody.load("/");
    assertStringIncludes(front.html, `<link rel="canonical" href="${site.url}/">`);
    assertStringIncludes(front.html, 'property="og:title"');
    for (const path of ["/favicon.ico", "/robots.txt"]) {
      const response = await fetch(site.url + path);
      assertEquals(response.status, 200, path);
      await response.body?.cancel();
    }
    const part = await anybody.load("/?q=x", { headers: { "hx-request": "true" } });
    assertMatch(part.html, /^<div id="results"/);
    const wrong = await anybody.load("/servers/Not%20a%20name");
    assertEquals(wrong.status, 404);
    const method = await fetch(`${site.url}/profile`, {
      method: "PUT",
      headers: { accept: "text/html" },
    });
    assertEquals(method.status, 405);
    assertStringIncludes(await method.text(), "<h1>");
  } finally {
    await site.close();
  }
});

Deno.test("parseSignature() reads what scans find, and nothing else", () => {
  assertEquals(
    parseSignature("forecast(city: str, days: int = 3, *, tags: dict[str, list[int]] = {}) -> str"),
    {
      returns: "str",
      parameters: [
        { name: "city", type: "str", defaultValue: null },
        { name: "days", type: "int", defaultValue: "3" },
        { name: "tags", type: "dict[str, list[int]]", defaultValue: "{}" },
      ],
    },
  );
  assertEquals(parseSignature('f(self, a="x, (y)", ctx: Context = None)')?.parameters, [
    { name: "a", type: null, defaultValue: '"x, (y)"' },
  ]);
  assertEquals(parseSignature("f()"), { returns: null, parameters: [] });
  for (const odd of ["", "f", "f(", "f(<script>)", "(".repeat(5000), "f(a b)"]) {
    assertEquals(parseSignature(odd), null, odd.slice(0, 20));
  }
});

Deno.test("administrators are shown every policy", () => {
  const policies = VARIABLES.filter((name) => name.endsWith("_POLICY"));
  assert(policies.length > 0);
  for (const name of policies) assert((LIMITS as readonly string[]).includes(name), name);
});
