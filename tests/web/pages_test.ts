/** Pages that need no browser to be checked: failures, headers, weight, the reference. */
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { VARIABLES } from "../../src/config.ts";
import { LIMITS } from "../../src/services/web.ts";
import { parseSignature } from "../../src/web/server/tools/signature.ts";
import { CLIENT_TABLE } from "../../src/mcp_clients/table.ts";
import { sentFor, WEIGHT_MAX, weightOf } from "../helpers/weight.ts";
import { personAt, signIn, signUp, startSite } from "./harness.ts";

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
      for (const [, address] of page.html.matchAll(/(?:src|href)="([^"#]*)"/g)) {
        if (!address!.startsWith("/assets/")) continue;
        const asset = await fetch(new URL(address!, site.url));
        assertEquals(asset.status, 200, address!);
        assertMatch(asset.headers.get("cache-control") ?? "", /immutable/);
        await asset.body?.cancel();
      }
      const weight = await weightOf(site.url + path);
      assert(weight < WEIGHT_MAX, `${path}: ${weight}`);
    }
    const reference = await anybody.load("/docs");
    for (const part of ["/api/v1/servers/{name}", "listServers", "ServerDetail"]) {
      assertStringIncludes(reference.html, part);
    }
    const found = (await anybody.load("/docs?q=tokens")).html;
    assertStringIncludes(found, 'id="schema-CreateToken"');
    assertStringIncludes(found, 'href="#schema-CreateToken"');
    assertEquals(found.includes('id="schema-ServerDetail"'), false);
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
    assertStringIncludes(part.html, "<title>Search: x · Berth</title>");
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

Deno.test("web: pages and their files are compressed as the browser asks, unless they hold a token", async () => {
  const site = await startSite();
  const decoders = { br: brotliDecompressSync, gzip: gunzipSync };
  const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  try {
    const { bytes: front } = await sentFor(site.url, { "accept-encoding": "identity" });
    const files = [...textOf(front).matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:css|js))"/g)]
      .map(([, path]) => path!);
    assert(files.length >= 4);
    for (const path of ["/", "/?q=nothing", "/start", "/docs", "/docs/try", ...files]) {
      const url = site.url + path;
      const plain = await sentFor(url, { "accept-encoding": "identity" });
      assertEquals(plain.headers["content-encoding"], undefined, path);
      assertStringIncludes(String(plain.headers["vary"]), "Accept-Encoding", path);
      for (const coding of ["br", "gzip"] as const) {
        const coded = await sentFor(url, { "accept-encoding": coding });
        assertEquals(coded.headers["content-encoding"], coding, path);
        assert(coded.bytes.length < plain.bytes.length, path);
        assertEquals(textOf(decoders[coding](coded.bytes)), textOf(plain.bytes), path);
      }
    }
    // Lengths of compressed pages would tell other sites of the token of their forms.
    await signUp(site, "ada@example.com");
    const ada = personAt(site);
    await signIn(ada, "ada@example.com");
    for (const [path, coding] of [["/profile", undefined], ["/docs", "br"]] as const) {
      const { status, headers, bytes } = await sentFor(site.url + path, { cookie: ada.cookies() });
      assertEquals([status, headers["content-encoding"]], [200, coding], path);
      assertEquals(textOf(bytes).includes('name="csrf"'), coding === undefined, path);
    }
  } finally {
    await site.close();
  }
});
