/**
 * Walks through trying tools in a browser, with scripts and without.
 *
 * @module
 */
import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Page } from "playwright-core";
import { look, signInHere, type Walk } from "./walk.ts";

/** Waits for the page of the tool `name`, and until its scripts are there. */
async function atTool(page: Page, name: string) {
  await page.getByRole("heading", { name, level: 2 }).waitFor();
  await page.waitForLoadState();
}

/** Goes to the page of the tool `name`. */
async function openTool(page: Page, name: string) {
  await page.getByRole("link", { name }).click();
  await atTool(page, name);
}

/** A form with a kind to choose, and a value that the tool itself refuses. */
async function reserve(page: Page, chooseKind: (kind: string) => Promise<void>) {
  await openTool(page, "reserve");
  await page.getByLabel("day").fill("2026-12-24");
  await chooseKind("bar, terrace");
  await page.getByLabel("table", { exact: true }).selectOption("terrace");
  await page.getByLabel("name", { exact: true }).fill("ada");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("heading", { name: "The tool failed" }).waitFor();
  await page.getByText("String should match pattern '^[A-Z][a-z]+$'").first().waitFor();
}

async function reserved(page: Page) {
  await page.getByLabel("name", { exact: true }).fill("Ada");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("heading", { name: "Result" }).waitFor();
  const said = await page.getByLabel("Result 1").textContent();
  assertEquals(said, "2026-12-24, terrace: Ada (30)");
}

/** From a server's page to a result by keyboard alone. */
export async function tryByKeyboard({ site, browser }: Walk) {
  const view = await browser.open(`${site.url}/servers/kitchen`);
  const { page } = view;
  await page.getByRole("link", { name: "Try it", exact: true }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Start session" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "cook" }).focus();
  await page.keyboard.press("Enter");
  await atTool(page, "cook");
  await page.getByLabel("minutes").focus();
  await page.keyboard.type("1");
  await page.keyboard.press("Enter");
  // The result is where the keyboard goes on.
  await page.locator("#result-title:focus").waitFor();
  assertEquals(view.problems, []);
  await view.context.close();
}

/** Resources and prompts, which stand beside the tools. */
async function readAndPrompt(page: Page) {
  await page.getByRole("link", { name: "menu" }).click();
  await page.getByRole("button", { name: "Read" }).click();
  const text = await page.getByLabel("Result 1: menu://today").textContent();
  assertEquals(text, "# Menu\n\n* soup");
  await page.getByLabel("Address").fill("menu://nothing");
  await page.getByRole("button", { name: "Read" }).click();
  await page.getByRole("alert").waitFor();
  await page.getByRole("link", { name: "toast" }).click();
  await page.getByLabel("guest").fill("Ada");
  await page.getByRole("button", { name: "Get" }).click();
  await page.getByRole("heading", { name: "user" }).waitFor();
  assertEquals(await page.getByLabel("Result 1").textContent(), "To Ada, with water");
}

/** A list of objects as a table, the call to be copied, and calls that the page keeps. */
async function tableAndHistory(page: Page) {
  await openTool(page, "prices");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("cell", { name: "<b>bread</b>" }).waitFor();
  await page.getByRole("cell", { name: "https://example.com/" }).getByRole("link").waitFor();
  await page.getByText("Copy this call").click();
  await page.getByRole("button", { name: "Copy the call for berth call" }).click();
  assertEquals(
    await page.evaluate<string>("navigator.clipboard.readText()"),
    "berth call kitchen prices --args-json '{}'",
  );
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("heading", { name: "Earlier calls" }).waitFor();
  await page.getByText(/ · Result · /).waitFor();
}

/** Forms, results, logs, progress, cancel. */
export async function tryIt({ site, browser }: Walk) {
  const view = await browser.open(`${site.url}/servers/kitchen/try`);
  const { page } = view;
  await page.getByRole("button", { name: "Start session" }).click();
  await atTool(page, "order");
  await look(view, "a tool's form");
  await page.getByLabel("dish").fill("soup");
  await page.getByLabel("portions (optional)").fill("2");
  await page.getByRole("button", { name: "Add to extras" }).click();
  await page.getByLabel("extras 1").fill("salt");
  await page.waitForLoadState();
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("heading", { name: "Result" }).waitFor();
  const result = await page.getByLabel("Structured data").textContent();
  const order = JSON.parse(result ?? "");
  assertEquals(order.result ?? order, {
    dish: "soup",
    size: "medium",
    portions: 2,
    spicy: false,
    extras: ["salt"],
  });
  await look(view, "a result");
  await page.getByText("Raw messages").click();
  assertStringIncludes(await page.getByLabel("Raw messages").textContent() ?? "", "tools/call");

  await reserve(page, async (kind) => {
    await page.getByLabel("Type of table").selectOption(kind);
    await page.getByLabel("table", { exact: true }).locator("option", { hasText: "bar" }).waitFor({
      state: "attached",
    });
  });
  await look(view, "values that are refused");
  await page.getByRole("button", { name: "Add to guests" }).click();
  await page.getByRole("group", { name: "guests 2" }).waitFor();
  await look(view, "a nested form");
  await page.getByRole("button", { name: "Remove last of guests" }).click();
  await page.getByRole("group", { name: "guests 2" }).waitFor({ state: "detached" });
  await atTool(page, "reserve");
  await reserved(page);

  await openTool(page, "picture");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByAltText("Image 1 from the tool").waitFor();
  await page.getByLabel("Audio 2 from the tool").waitFor();
  await page.getByText(/^Took \d/).waitFor();
  await look(view, "a picture and a sound");

  await openTool(page, "cook");
  await page.getByLabel("minutes").fill("3");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("minute 3", { exact: true }).waitFor();
  await page.getByRole("heading", { name: "Result" }).waitFor();
  await look(view, "logs");

  await openTool(page, "burn");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("heading", { name: "The tool failed" }).waitFor();
  await look(view, "a failed tool");

  await tableAndHistory(page);
  await page.getByRole("heading", { name: "Result" }).waitFor();
  await look(view, "a table, and an earlier call");
  await readAndPrompt(page);
  await look(view, "a prompt");

  await openTool(page, "forever");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("Cancelled.").waitFor();

  await page.goto(`${site.url}/servers/kitchen/try?session=1&tool=order`);
  await page.getByText("Arguments as JSON").click();
  await page.getByLabel(/Sent instead/).fill("{ not json");
  await page.getByRole("button", { name: "Run" }).click();
  await page.locator("#raw-fault", { hasText: "Arguments must be a JSON object" }).waitFor();
  await look(view, "faulty arguments");
  await page.getByRole("button", { name: "End session" }).click();
  await page.getByRole("button", { name: "Start session" }).waitFor();
  await view.context.close();
}

/** What attackers make tools say. */
export async function hostile({ site, browser }: Walk) {
  const view = await browser.open(`${site.url}/servers/hostile/try`);
  const { page } = view;
  await page.getByRole("button", { name: "Start session" }).click();
  await atTool(page, "greet");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("heading", { name: "Result" }).waitFor();
  await look(view, "a hostile result");
  const shown = await page.getByLabel("Result 1").textContent();
  assertStringIncludes(shown ?? "", "<script>window.hacked='result'</script>");
  await openTool(page, "bold");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("heading", { name: "Result" }).waitFor();
  await look(view, "hostile structured data");
  await openTool(page, "flood");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText(/more characters/).first().waitFor();
  await look(view, "a flood");
  await view.context.close();
}

/** The main walks without scripts. */
export async function withoutScripts({ site, browser }: Walk) {
  const view = await browser.open(site.url, { scripts: false });
  const { page } = view;
  await page.getByLabel("Search servers").fill("kitchen");
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByText("1 server found").waitFor();
  await page.getByRole("link", { name: "kitchen" }).click();
  await page.getByRole("link", { name: "Try it", exact: true }).click();
  await page.getByRole("button", { name: "Start session" }).click();
  await page.getByLabel("dish").fill("bread");
  await page.getByRole("button", { name: "Add to extras" }).click();
  assertEquals(await page.getByLabel("dish").inputValue(), "bread");
  await page.getByLabel("extras 1").fill("butter");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("heading", { name: "Result" }).waitFor();
  const data = await page.getByLabel("Structured data").textContent();
  assertStringIncludes(data ?? "", "butter");
  await page.getByText("Raw messages").click();
  assertStringIncludes(await page.getByLabel("Raw messages").textContent() ?? "", "tools/call");
  await reserve(page, async (kind) => {
    await page.getByLabel("Type of table").selectOption(kind);
    await page.getByRole("button", { name: "Choose the type of table" }).click();
  });
  await reserved(page);
  await openTool(page, "cook");
  await page.getByLabel("minutes").fill("2");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("minute 2", { exact: true }).waitFor();
  await page.getByRole("heading", { name: "Result" }).waitFor();
  assertEquals(await page.getByRole("button", { name: "Cancel" }).isVisible(), false);
  await readAndPrompt(page);
  await openTool(page, "forever");
  // The page goes on while the tool runs: what it has so far can be used.
  await page.getByRole("button", { name: "Run" }).click({ noWaitAfter: true });
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("Cancelled.").waitFor();
  // Signing in, publishing, and making a token.
  await signInHere(page, site.url);
  await page.getByRole("link", { name: "API tokens" }).click();
  await page.getByLabel("Name").fill("without scripts");
  await page.getByRole("button", { name: "Create token" }).click();
  await page.getByText("It will not be shown again").waitFor();
  await page.getByRole("link", { name: "Publish", exact: true }).click();
  await page.getByLabel("Repository").fill("https://github.com/examples/kitchen");
  await page.getByRole("button", { name: "Inspect repository" }).click();
  await page.getByLabel("Name", { exact: true }).fill("kitchen-two");
  await page.getByLabel("License").fill("MIT");
  await page.getByRole("button", { name: "Scan and publish" }).click();
  // The page loads itself again until the scan has ended.
  await page.getByRole("link", { name: "View server" }).waitFor();
  assertEquals(view.problems, []);
  await view.context.close();
}
