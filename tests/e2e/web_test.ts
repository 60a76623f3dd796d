/**
 * The pages in Debian's Chromium: each page and walk, with accessibility, console and foreign
 * requests watched; by keyboard alone and without scripts for the main ones.
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Page } from "playwright-core";
import { startChromium } from "../helpers/chromium.ts";
import { checkWeight } from "../helpers/weight.ts";
import { startFullSite } from "../web/full_site.ts";
import { personAt, signIn, signUp } from "../web/harness.ts";
import { accountPages } from "../web/account_walk.ts";
import { EMAIL, look, signInHere, type Walk } from "../web/walk.ts";
import { hostile, tryByKeyboard, tryIt, withoutScripts } from "../web/try_walk.ts";

async function publishByApi(
  { site, token }: Walk,
  name: string,
  description: string,
  more: Record<string, string> = {},
) {
  const response = await fetch(`${site.url}/api/v1/servers`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({
      name,
      version: "1.0.0",
      description,
      lang: "python",
      license: "MIT",
      entrypoint: "server.py",
      repository: { url: `https://github.com/examples/${name}` },
      ...more,
    }),
  });
  assertEquals(response.status, 201, await response.text());
}

async function emptyFront({ site, browser }: Walk) {
  const anybody = await browser.open(site.url);
  await anybody.page.getByText("No servers yet").waitFor();
  await look(anybody, "the empty front page");
  await anybody.page.goto(`${site.url}/nothing`);
  await anybody.page.getByRole("heading", { name: "Not found" }).waitFor();
  await look(anybody, "404");
  await anybody.context.close();
}

async function publishByKeyboard({ ada, site }: Walk) {
  const { page } = ada;
  await page.goto(`${site.url}/publish`);
  await look(ada, "publish, first step");
  const repository = page.getByLabel("Repository");
  await repository.focus();
  await page.keyboard.type("https://github.com/examples/nothing-there");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").waitFor();
  await look(ada, "publish, refused");
  await page.getByLabel("Repository").focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("https://github.com/examples/text-tools");
  await page.keyboard.press("Enter");
  await page.getByText("The details below were filled in from it").waitFor();
  await look(ada, "publish, second step");
  assertEquals(await page.getByLabel("Name", { exact: true }).inputValue(), "text-tools");
  assertEquals(await page.getByLabel("Entrypoint").inputValue(), "server.py");
  await page.getByLabel("License").focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("not a license");
  await page.keyboard.press("Enter");
  const license = page.locator("#license[aria-invalid=true]");
  await license.waitFor();
  await look(ada, "publish, with a fault");
  await license.focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("MIT");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/scans/**");
  await page.getByText("The scan is complete.").waitFor();
  await page.getByRole("link", { name: "View server" }).waitFor();
  await look(ada, "a scan that has ended");
  await page.getByRole("link", { name: "View server" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "text-tools", level: 1 }).waitFor();
}

/** On a phone and without scripts: filters are behind their heading. */
async function narrowFilters({ site, browser }: Pick<Walk, "site" | "browser">) {
  const phone = await browser.open(`${site.url}/?sort=name`, { width: 390, scripts: false });
  const { page } = phone;
  const free = page.getByRole("link", { name: "Free", exact: true });
  await free.waitFor({ state: "hidden" });
  await page.getByText("Filters", { exact: true }).click();
  await free.click();
  await page.getByText("4 servers found").waitFor();
  await page.getByRole("link", { name: "Remove the filter Price: Free" }).click();
  await page.getByRole("status").filter({ hasText: /^4 servers$/ }).waitFor();
  await phone.context.close();
}

async function find({ site, browser }: Walk) {
  const anybody = await browser.open(site.url);
  const { page } = anybody;
  await page.getByRole("status").filter({ hasText: "4 servers" }).waitFor();
  await look(anybody, "the front page");
  await page.getByRole("link", { name: /^Show all.*most used first/ }).click();
  await page.getByRole("navigation", { name: "Filters" }).waitFor();
  await look(anybody, "all servers");
  const licenses = page.getByRole("region", { name: "License" });
  await licenses.getByRole("link", { name: /^Apache-2\.0/ }).click();
  await page.getByText("1 server found").waitFor();
  await look(anybody, "one license");
  await page.getByRole("link", { name: "Any license" }).click();
  await page.getByRole("link", { name: /^<img src=x.* 1 server/ }).click();
  await page.getByText("1 server found").waitFor();
  await look(anybody, "a hostile author");
  await page.goto(site.url);
  // Results come while the visitor types.
  await page.getByLabel("Search servers").focus();
  await page.keyboard.type("kitch");
  // Slow typing is answered before its end, too.
  await page.waitForURL(/[?&]q=kitch(&|$)/);
  await page.getByText("1 server found").waitFor();
  await page.getByRole("link", { name: "kitchen" }).waitFor();
  await look(anybody, "live results");
  await page.getByRole("link", { name: "Not passed" }).click();
  await page.getByText("No matching servers").waitFor();
  await look(anybody, "no results");
  await page.getByRole("link", { name: "Search without filters" }).click();
  await page.getByText("1 server found").waitFor();
  await page.goBack();
  await page.getByText("No matching servers").waitFor();
  await page.goto(`${site.url}/?q=kitchne`);
  await page.getByRole("link", { name: "kitchen" }).waitFor();
  await look(anybody, "a misspelt search");
  await narrowFilters({ site, browser });
  await page.goto(`${site.url}/?lang=cobol&price=-1`);
  await page.getByText("These filters are not valid").waitFor();
  await look(anybody, "faulty filters");
  await page.goto(site.url);
  // By keyboard: from the top of the page to a server.
  await page.keyboard.press("Tab");
  assertEquals(
    await page.evaluate("document.activeElement?.textContent"),
    "Skip to content",
  );
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "text-tools" }).first().focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "text-tools", level: 1 }).waitFor();
  await anybody.context.close();
}

/** Waits until it is said that a text was copied; the button says so for two seconds only. */
async function sayCopied(page: Page): Promise<void> {
  await page.locator("#announcements", { hasText: "Copied" }).waitFor();
}

async function serverPages({ site, browser }: Walk) {
  const tabs = ["", "/tools", "/security", "/versions", "/install", "/try"];
  const views = [
    { width: 1280, dark: false, pages: { leaky: tabs, hostile: ["", "/tools", "/security"] } },
    { width: 360, dark: true, pages: { kitchen: tabs, hostile: ["", "/tools", "/security"] } },
  ];
  for (const { width, dark, pages } of views) {
    const view = await browser.open(site.url, { width, dark });
    for (const [name, tabs] of Object.entries(pages)) {
      for (const tab of tabs) {
        await view.page.goto(`${site.url}/servers/${name}${tab}`);
        await look(view, `${name}${tab} at ${width}`);
      }
    }
    await view.page.goto(`${site.url}/servers/kitchen/source/server.py?line=12`);
    await look(view, `source at ${width}`);
    await view.context.close();
  }
  const view = await browser.open(`${site.url}/servers/leaky/security`);
  // What is chosen the moment that the first answer is there counts, too.
  await view.page.evaluate(`{
    const observer = new MutationObserver(() => {
      const weakness = document.getElementById("cwe");
      if (document.getElementById("severity").value !== "high" || weakness.value !== "") return;
      observer.disconnect();
      weakness.value = "CWE-94";
      weakness.dispatchEvent(new Event("change", { bubbles: true }));
    });
    observer.observe(document.querySelector("main"), { childList: true, subtree: true });
  }`);
  await view.page.getByLabel("Severity").selectOption("high");
  await view.page.getByText(/^1 finding of \d+$/).waitFor();
  await view.page.getByLabel("Show", { exact: true }).selectOption("true");
  await view.page.waitForURL(/cwe=CWE-94&failing=true/);
  await view.page.getByText("blocking", { exact: true }).waitFor();
  await view.page.getByLabel("Weakness").selectOption("");
  await view.page.waitForURL(/cwe=&failing=true/);
  await view.page.getByLabel("Group by").selectOption("file");
  await view.page.getByRole("heading", { name: /^server\.py/ }).waitFor();
  await look(view, "filtered findings");
  await view.page.goto(`${site.url}/servers/kitchen/install`);
  await view.page.getByRole("link", { name: "Address only" }).click();
  await view.page.getByRole("heading", { name: "Address only" }).waitFor();
  await look(view, "the address alone");
  await view.page.getByRole("button", { name: "Copy the snippet for Address only" }).click();
  await sayCopied(view.page);
  const copied = await view.page.evaluate<string>("navigator.clipboard.readText()");
  assertEquals(copied, `${site.workerUrl}/mcp?name=kitchen`);
  await view.context.close();
  for (const file of ["badge.svg", "badge.json", "report.json", "report.sarif", "sbom.cdx.json"]) {
    const response = await fetch(`${site.url}/servers/leaky/${file}`);
    assertEquals(response.status, 200, file);
    const text = await response.text();
    if (!file.endsWith(".svg")) JSON.parse(text);
  }
}

async function profile({ ada, site }: Walk) {
  const { page } = ada;
  await page.goto(`${site.url}/profile`);
  await look(ada, "the profile");
  await page.getByRole("link", { name: "Delete your account" }).click();
  await page.getByRole("heading", { name: "Delete your account" }).waitFor();
  await look(ada, "leaving");
  await page.goto(`${site.url}/profile/tokens`);
  await look(ada, "tokens");
  await page.getByLabel("Name").fill("Build server");
  await page.getByRole("button", { name: "Create token" }).click();
  await page.getByText("It will not be shown again").waitFor();
  await look(ada, "a new token");
  await page.getByRole("button", { name: "Copy the token" }).click();
  await sayCopied(page);
  const token = await page.evaluate<string>("navigator.clipboard.readText()");
  const me = await fetch(`${site.url}/api/v1/auth/me`, {
    headers: { authorization: `Bearer ${token}` },
  });
  assertEquals((await me.json()).user.email, EMAIL);
  await page.getByRole("button", { name: "Revoke Build server" }).click();
  await page.getByText("revoked").first().waitFor();
  await page.goto(`${site.url}/profile/activity`);
  await look(ada, "activity");
}

/** What an author does next, by keyboard: the badge, another client's snippet, what to mend. */
async function nextSteps({ ada, site }: Walk) {
  const { page } = ada;
  await page.goto(`${site.url}/servers/text-tools`);
  await page.getByRole("link", { name: "Next steps" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "What is worth fixing first" }).waitFor();
  await look(ada, "next steps");
  await page.getByRole("link", { name: "Cursor", exact: true }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "The snippet for Cursor" }).waitFor();
  await page.getByRole("button", { name: "Copy the line that names your account" }).focus();
  await page.keyboard.press("Enter");
  await sayCopied(page);
  const line = await page.evaluate<string>("navigator.clipboard.readText()");
  assertMatch(line, /^[0-9a-f-]{36}$/);
  await page.goto(`${site.url}/servers/leaky/next`);
  await page.getByRole("link", { name: /^Settles / }).first().waitFor();
  await look(ada, "next steps, with findings");
}

/** Pages that only Ada has are as light as the others. */
async function lightPages({ ada, site }: Walk) {
  const server = ["/next", "/manage", "/keys"].map((tab) => `/servers/text-tools${tab}`);
  const profile = ["", "/keys", "/tokens", "/activity", "/delete"].map((tab) => `/profile${tab}`);
  const tabs = ["users", "servers", "capabilities", "scans", "sessions", "audit", "configuration"];
  const admin = ["/admin", ...tabs.map((tab) => `/admin/${tab}`)];
  for (const path of ["/publish", ...server, ...profile, ...admin]) {
    await checkWeight(ada, site.url + path);
  }
}

async function manage({ ada, site }: Walk) {
  const { page } = ada;
  const base = `${site.url}/servers/text-tools/manage`;
  await page.goto(base);
  await look(ada, "manage");
  await page.getByLabel("Description", { exact: true }).fill("Counts words, characters and lines");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Counts words, characters and lines").first().waitFor();
  await site.codeHost.push("examples/text-tools", "main", {
    "server.py": "from mcp.server.fastmcp import FastMCP\n\nmcp = FastMCP('t')\n\n\n" +
      "@mcp.tool()\ndef shout(text: str) -> str:\n    return eval(text)\n\n\nmcp.run()\n",
  });
  await page.getByLabel("Version").fill("1.1.0");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("The scan is complete.").waitFor();
  await page.getByRole("link", { name: "Full report" }).waitFor();
  await look(ada, "a scan that failed");
  await page.goto(`${site.url}/servers/text-tools/versions`);
  await look(ada, "two versions");
  await page.getByRole("link", { name: /new.* in 1\.1\.0/ }).click();
  await page.getByRole("heading", { name: /compared with the previous scan/ }).waitFor();
  await look(ada, "a difference");
  await page.getByLabel("Compare", { exact: true }).selectOption({ index: 1 });
  await page.getByLabel("With", { exact: true }).selectOption({ index: 0 });
  await page.getByRole("button", { name: "Compare" }).click();
  await page.getByRole("heading", { name: /compared with version 1\.1\.0/ }).waitFor();
  await look(ada, "a chosen difference");
  await page.goto(`${site.url}/servers/text-tools/security`);
  await page.getByText("How the verdict is decided").click();
  await page.getByRole("img", { name: /^Findings by scan: .*in 1\.1\.0/ }).waitFor();
  await look(ada, "findings over time");
  await page.goto(base);
  await page.getByLabel("Username of the new owner").fill("nobody-there");
  await page.getByRole("button", { name: "Offer" }).click();
  await page.getByRole("alert").waitFor();
  await page.getByLabel(/Type text-tools/).fill("text");
  await page.getByRole("button", { name: "Remove text-tools" }).click();
  await page.getByText("Type the name text-tools to confirm").waitFor();
  await look(ada, "a refused removal");
  await page.getByLabel(/Type text-tools/).fill("text-tools");
  await page.getByRole("button", { name: "Remove text-tools" }).click();
  await page.getByRole("heading", { name: "Your servers" }).waitFor();
  await page.goto(`${site.url}/servers/text-tools`);
  await page.getByRole("heading", { name: "Not found" }).waitFor();
}

async function guide({ site, browser }: Walk) {
  const view = await browser.open(`${site.url}/start`);
  const { page } = view;
  await look(view, "quick start");
  assertStringIncludes(await page.getByLabel("the call").textContent() ?? "", site.workerUrl);
  await page.goto(`${site.url}/docs`);
  await page.getByRole("heading", { name: "Operations" }).waitFor();
  await look(view, "the API reference");
  for (const path of ["/api/v1/servers", "/api/v1/servers/{name}/rescan"]) {
    const operation = page.locator("details.operation", { hasText: path }).first();
    await operation.locator("summary").first().focus();
    await page.keyboard.press("Enter");
  }
  await page.getByRole("heading", { name: "Responses" }).first().waitFor();
  await look(view, "open operations");
  await view.context.close();
  const robots = await (await fetch(`${site.url}/robots.txt`)).text();
  assertStringIncludes(robots, "Disallow: /servers/*/try");
}

async function administration({ site, ada, browser }: Walk) {
  const { page } = ada;
  await page.goto(`${site.url}/admin`);
  await page.getByRole("heading", { name: "Access denied" }).waitFor();
  const line = site.terminal.find((one) => one.includes("/oidc/admin?token="));
  await page.goto(/https?:\S+/.exec(line ?? "")![0]);
  await page.getByRole("button").first().click();
  await page.getByText("is now an administrator").waitFor();
  await page.goto(`${site.url}/admin`);
  await page.getByRole("heading", { name: "Health of this node" }).waitFor();
  await look(ada, "administration");
  await page.goto(`${site.url}/admin/configuration`);
  await page.getByRole("heading", { name: "Limits and policies" }).waitFor();
  await look(ada, "administration, configuration");
  const guest = await browser.open(`${site.url}/servers/kitchen/try`);
  await guest.page.getByRole("button", { name: "Start session" }).click();
  await guest.page.getByRole("heading", { name: "order", level: 2 }).waitFor();
  await guest.context.close();
  for (const tab of ["users", "servers", "capabilities", "scans", "audit"]) {
    await page.goto(`${site.url}/admin/${tab}`);
    await look(ada, `administration, ${tab}`);
  }
  await page.goto(`${site.url}/admin/audit?action=server.create&until=2000-01-01`);
  await page.getByText("No matching entries").waitFor();
  await page.getByLabel("Action").fill("Server Create");
  await page.getByRole("button", { name: "Filter" }).click();
  await page.getByText("This value must be an action such as server.create").waitFor();
  await look(ada, "administration, a faulty filter of the audit log");
  await page.goto(`${site.url}/admin/sessions`);
  const end = page.getByRole("button", { name: "End the session of kitchen" }).first();
  await end.waitFor();
  const row = page.getByRole("row").filter({ has: end }).first();
  assertMatch(await row.textContent() ?? "", /kitchen.*idle.*\d+ MiB\d+\.\d s/);
  await look(ada, "administration, sessions");
  await end.click();
  await page.getByText(/No live sessions|End the session/).first().waitFor();
}

Deno.test("the pages in a browser", async (t) => {
  const site = await startFullSite({
    INTERPRETER_PROFILE: "full",
    EXECUTION_POLICY: "any",
    WARM_SESSIONS: "1",
    // Taking pictures takes longer than sessions stay awake.
    PARK_AFTER_SECONDS: "0",
  });
  const browser = await startChromium();
  try {
    await signUp(site, EMAIL);
    const ada = await browser.open(site.url);
    await signInHere(ada.page, site.url);
    const person = personAt(site);
    await signIn(person, EMAIL);
    const made = await person.send(await person.load("/profile/tokens"), "/profile/tokens", {
      name: "test",
      expires_in: "3600",
    });
    const token = /id="token"[^>]*><code>([^<]+)</.exec(made.html)?.[1];
    assert(token !== undefined);
    const walk: Walk = { site, browser, ada, token };
    await t.step("an empty registry, and an address with nothing", () => emptyFront(walk));
    await t.step("publish by keyboard, with live progress", () => publishByKeyboard(walk));
    await publishByApi(walk, "kitchen", "Every kind of parameter and result");
    await publishByApi(walk, "leaky", "Runs commands");
    await publishByApi(walk, "hostile", "<script>window.hacked='description'</script> \"x\"", {
      author: `<img src=x onerror="hacked=1"> ${"long ".repeat(9)}שלום`,
      license: "Apache-2.0 OR MIT",
    });
    await t.step("accounts: sign-in, sign-up, links, devices", () => accountPages(walk));
    await t.step("find servers while typing, by filters and by keyboard", () => find(walk));
    await t.step("server pages, wide and narrow, light and dark", () => serverPages(walk));
    await t.step("try tools: forms, results, logs, progress, cancel", () => tryIt(walk));
    await t.step("try a tool by keyboard", () => tryByKeyboard(walk));
    await t.step("nothing hostile runs or hides", () => hostile(walk));
    await t.step("without scripts", () => withoutScripts(walk));
    await t.step("the profile and its tokens", () => profile(walk));
    await t.step("quick start and API reference", () => guide(walk));
    await t.step("administrators see and end sessions", () => administration(walk));
    await t.step("authors see what to do next", () => nextSteps(walk));
    await t.step("pages of users and administrators weigh little", () => lightPages(walk));
    await t.step("owners change, rescan, compare and remove", () => manage(walk));
    assertEquals(ada.problems, []);
  } finally {
    await browser[Symbol.asyncDispose]();
    await site.close();
  }
});
