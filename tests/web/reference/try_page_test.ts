/** The page that sends requests of the API, in a browser, and the reference's examples. */
import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { startChromium } from "../../helpers/chromium.ts";
import { OpenApi, operationsOf } from "../../../src/web/reference/document.ts";
import { requestExamples } from "../../../src/web/reference/examples.ts";
import { matching } from "../../../src/web/reference/page.tsx";
import { startSite } from "../harness.ts";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(
    `axe.run({ runOnly: ${JSON.stringify(RULES)} }).then((result) => result.violations.flatMap(
      ({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => id + ": " + html.slice(0, 160))))`,
  );
  return found as string[];
}

Deno.test("web: requests are sent from the browser under the content policy, to nobody else", async () => {
  const site = await startSite({ environmentOf: (url) => ({ REGISTRY_URL: url }) });
  try {
    await using browser = await startChromium();
    const folder = Deno.env.get("PICTURES");
    for (const dark of [false, true]) {
      const address = `${site.url}/docs/try#/Servers/listServers`;
      const { page, context, problems } = await browser.open(address, { dark, width: 1440 });
      await page.locator("#operations-Servers-listServers .execute").click();
      await page.locator(".live-responses-table .response-col_status", { hasText: "200" })
        .waitFor();
      for (const language of ["curl", "TypeScript", "Python"]) {
        assert(await page.locator(".request-snippets").getByText(language).count() > 0, language);
      }
      if (folder !== undefined) {
        await page.screenshot({ path: `${folder}/try-${dark ? "dark" : "light"}.png` });
      }
      assertEquals(await violations(page), [], dark ? "dark" : "light");
      await page.getByLabel("Search operations").fill("list tokens");
      await page.locator("#operations-Servers-listServers").waitFor({ state: "detached" });
      assertEquals(await page.locator("#operations-Tokens-listTokens").count(), 1);
      // Among them: requests to anybody else.
      assertEquals(problems, []);
      await context.close();
    }
    const answer = await fetch(`${site.url}/docs/try`);
    const policy = answer.headers.get("content-security-policy") ?? "";
    assertFalse(policy.includes("unsafe"), policy);
    assertStringIncludes(await answer.text(), "<noscript>");
    const reference = await (await fetch(`${site.url}/docs`)).text();
    assertFalse(reference.includes("swagger"));
    const found = await (await fetch(`${site.url}/docs?q=list+tokens`)).text();
    assertStringIncludes(found, 'id="listTokens"');
    assertFalse(found.includes('id="listServers"'));
    const hostile = `${site.url}/docs?q=${encodeURIComponent('"><script>alert(1)</script>')}`;
    assertFalse((await (await fetch(hostile)).text()).includes("<script>alert"));
  } finally {
    await site.close();
  }
});

const DOCUMENT = OpenApi.parse({
  info: { title: "x", version: "1" },
  paths: {
    "/servers/{name}": {
      put: {
        operationId: "change",
        summary: "Change a server",
        tags: ["Servers"],
        security: [{ bearer: [] }],
        parameters: [{ name: "name", in: "path", schema: { type: "string", example: "a'b" } }],
        requestBody: {
          content: { "application/json": { example: { text: "it's", free: true, price: null } } },
        },
      },
      get: { operationId: "read", summary: "Get a server", tags: ["Servers"] },
    },
  },
});

Deno.test("requestExamples() gives what a terminal, TypeScript and Python take as they are", () => {
  const [change, read] = operationsOf(DOCUMENT)[0]!.operations;
  const [curl, typescript, python] = requestExamples(change!, "https://berth.example");
  assertStringIncludes(curl!.text, `-X PUT 'https://berth.example/servers/a'\\''b'`);
  assertStringIncludes(curl!.text, `'{"text":"it'\\''s","free":true,"price":null}'`);
  assertStringIncludes(typescript!.text, "`Bearer ${process.env.BERTH_TOKEN}`");
  assertStringIncludes(python!.text, '"free": True,');
  assertStringIncludes(python!.text, "requests.put(");
  const plain = requestExamples(read!, "https://berth.example");
  assertEquals(plain[0]!.text, "curl -s https://berth.example/servers/NAME");
  assertFalse(plain.some(({ text }) => text.includes("TOKEN")));
});

Deno.test("matching() finds operations that have each word", () => {
  const groups = operationsOf(DOCUMENT);
  const ids = (query: string) =>
    matching(groups, query).flatMap(({ operations }) => operations.map(({ id }) => id));
  assertEquals(ids(""), ["change", "read"]);
  assertEquals(ids("change SERVER"), ["change"]);
  assertEquals(ids("change nothing"), []);
});
