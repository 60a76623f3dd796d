/**
 * The front page and its searches in Debian's Chromium, over a registry of more than two hundred
 * servers: accessibility at three widths, light and dark, what comes while one types, and weight.
 */
import { assert, assertEquals } from "@std/assert";
import { prepareDataDir } from "../helpers/database.ts";
import { seedCatalogue } from "../helpers/catalogue/seed.ts";
import { startChromium, type TestBrowser, type Watched } from "../helpers/chromium.ts";
import { checkWeight } from "../helpers/weight.ts";
import { startSite, type TestSite, withDatabase } from "../web/harness.ts";

/** Folder for pictures of each state, at three widths, light and dark; none are taken without it. */
const PICTURES = Deno.env.get("PICTURES");
/** States of the page, by their addresses. */
const STATES: Record<string, string> = {
  "front": "/",
  "everything": "/?sort=name",
  "a category": "/?category=places",
  "a search": "/?q=send+mail",
  "a filtered search": "/?q=search&lang=python&verdict=passed&runs=yes",
  "nothing found with filters": "/?q=weather&lang=go&license=0BSD",
  "a server that runs": "/servers/woocommerce",
  "a verified publisher": "/servers/openstreetmap",
  "a server that failed": "/servers/gmail-assistant",
  "a server without a README": "/servers/postgres-query",
  "a server in another script": "/servers/tenki-yohou",
  "tools": "/servers/openstreetmap/tools",
  "a report that failed": "/servers/gmail-assistant/security",
  "a report that passed": "/servers/openstreetmap/security",
  "one finding": "/servers/gmail-assistant/security?finding=S1192-3",
  "versions": "/servers/woocommerce/versions",
  "keys": "/servers/woocommerce/keys",
  "install": "/servers/brave-search/install",
  "install, the address alone": "/servers/brave-search/install?client=address",
  "install of what does not run": "/servers/gmail-assistant/install",
  "trying, before it starts": "/servers/woocommerce/try",
  "a scanned file": "/servers/woocommerce/source/server.py",
  "quick start": "/start",
  "the glossary": "/glossary",
  "the API reference": "/docs",
  "a search in the reference": "/docs?q=tokens",
  "not there": "/servers/not-there",
};

interface Walk {
  site: TestSite;
  browser: TestBrowser;
}

async function lookAt({ site, browser }: Walk, what: string, path: string) {
  for (const options of [{ width: 360, dark: true }, { width: 1280 }]) {
    const view = await browser.open(site.url + path, options);
    await view.checkAccessibility(what);
    const beyond = await view.page.evaluate("document.documentElement.scrollWidth - innerWidth");
    assertEquals(beyond, 0, `${what} is wider than ${options.width}`);
    assertEquals(view.problems, [], what);
    await view.context.close();
  }
  if (PICTURES === undefined) return;
  const view = await browser.open(site.url + path);
  await view.photograph(`catalogue ${what}`, PICTURES);
  await view.context.close();
}

async function searchByTyping({ page }: Watched) {
  await page.getByLabel("Search servers").focus();
  await page.keyboard.type("I want to send emial");
  await page.getByText("Showing results for send email").waitFor();
  assertEquals(await page.title(), "Search: I want to send emial · Berth");
  const gmail = page.getByRole("listitem").filter({
    has: page.getByRole("heading", { name: "gmail-assistant" }),
  });
  await gmail.getByText("send_email", { exact: true }).waitFor();
  await page.getByLabel("Search servers").fill("");
  await page.getByRole("heading", { name: "Most used" }).waitFor();
}

/** From the front page to a server of a category, by keyboard alone. */
async function categoryByKeyboard({ page }: Watched, url: string) {
  await page.goto(url);
  await page.getByRole("link", { name: /^Weather, maps and travel/ }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: /Remove the filter Category/ }).waitFor();
  await page.getByRole("link", { name: "openstreetmap" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "openstreetmap", level: 1 }).waitFor();
}

Deno.test("the catalogue in a browser", async (t) => {
  const dataDir = await prepareDataDir();
  await withDatabase(dataDir, (sql) => seedCatalogue(sql, new Date()));
  const site = await startSite({
    dataDir,
    environment: { RATE_LIMIT_PUBLIC: "1000000", INTERPRETER_PROFILE: "full" },
  });
  const browser = await startChromium();
  const walk = { site, browser };
  try {
    for (const [what, path] of Object.entries(STATES)) {
      await t.step(`${what}: accessible, and no wider than the window`, async () => {
        await lookAt(walk, what, path);
      });
    }
    await t.step("results come as one types, typing errors forgiven", async () => {
      const view = await browser.open(site.url);
      await searchByTyping(view);
      assertEquals(view.problems, []);
      await view.context.close();
    });
    await t.step("categories by keyboard, without scripts", async () => {
      const view = await browser.open(site.url, { scripts: false });
      await categoryByKeyboard(view, site.url);
      await view.context.close();
    });
    await t.step("filters are behind a heading on phones", async () => {
      const view = await browser.open(`${site.url}/?sort=name`, { width: 390 });
      const filters = view.page.getByRole("navigation", { name: "Filters" });
      assertEquals(await filters.isVisible(), false);
      await view.page.getByText("Filters", { exact: true }).click();
      await filters.getByRole("link", { name: "Runs here", exact: true }).click();
      await view.page.getByRole("link", { name: "Remove the filter Build: Runs here" }).waitFor();
      await view.context.close();
    });
    await t.step("pages weigh little, icons included", async () => {
      const view = await browser.open(`${site.url}/start`);
      for (const path of Object.values(STATES)) await checkWeight(view, site.url + path);
      await view.context.close();
    });
    await t.step("a report on paper has its findings, and no navigation", async () => {
      const view = await browser.open(`${site.url}/servers/gmail-assistant/security`);
      await view.page.emulateMedia({ media: "print" });
      assertEquals(await view.page.getByRole("navigation").first().isVisible(), false);
      assert(await view.page.getByText("Magic value used in comparison").first().isVisible());
      for (const role of ["button", "combobox"] as const) {
        assertEquals(await view.page.getByRole(role).count(), 0, role);
      }
      await view.context.close();
    });
  } finally {
    await browser[Symbol.asyncDispose]();
    await site.close();
    await Deno.remove(dataDir, { recursive: true });
  }
});
