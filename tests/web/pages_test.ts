/** Pages that need no browser to be checked: failures, headers, weight, the reference. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { VARIABLES } from "../../src/config.ts";
import { LIMITS } from "../../src/services/web.ts";
import { parseSignature } from "../../src/web/server/signature.ts";
import { clientEntries } from "../../src/web/server/clients.ts";
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
    for (const { label } of clientEntries({ name: "x", url: "x", needsToken: false })) {
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

Deno.test("clientEntries() gives each client what it reads", () => {
  const url = "http://127.0.0.1:8001/mcp?name=weather";
  for (const needsToken of [false, true]) {
    const entries = clientEntries({ name: "weather", url, needsToken });
    assertEquals(entries.map(({ id }) => id), [
      "claude-code",
      "claude-desktop",
      "cursor",
      "vscode",
      "windsurf",
      "codex",
      "gemini",
      "zed",
      "http",
    ]);
    for (const { id, snippet } of entries) {
      assertStringIncludes(snippet, url, id);
      const isJson = !["claude-code", "codex", "http"].includes(id);
      // A header of theirs, even one without a token in it, keeps clients from signing in.
      if (id !== "http") assert(!/header|token|authorization/i.test(snippet), snippet);
      if (isJson) assertEquals(Object.keys(JSON.parse(snippet)).length, 1, id);
    }
    const cursor = new URL(entries.find(({ id }) => id === "cursor")!.link!);
    assertEquals(JSON.parse(atob(cursor.searchParams.get("config")!)).url, url);
    const vscode = entries.find(({ id }) => id === "vscode")!.link!;
    assertEquals(JSON.parse(decodeURIComponent(vscode.split("?")[1]!)).url, url);
  }
});

Deno.test("clientEntries() gives each client its form of the variables that a server needs", () => {
  const url = "http://127.0.0.1:8001/mcp?name=weather";
  const variables = [{ name: "API_KEY", description: null, secret: true }];
  const entries = clientEntries({ name: "weather", url, needsToken: false, variables });
  for (const { snippet, label } of entries) {
    assertStringIncludes(snippet, "Mcp-Server-Env-API-KEY", label);
  }
  const of = (id: string) => entries.find((entry) => entry.id === id)!.snippet;
  assertStringIncludes(of("vscode"), '"promptString"');
  assertStringIncludes(of("vscode"), "${input:berth-weather-API_KEY}");
  assertStringIncludes(of("claude-desktop"), '"env"');
  assertStringIncludes(of("codex"), 'env_http_headers = { "Mcp-Server-Env-API-KEY" = "API_KEY" }');
});
