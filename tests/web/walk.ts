/**
 * What walks through the pages in a browser share.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import type { TestBrowser, Watched } from "../helpers/chromium.ts";
import type { FullSite } from "./full_site.ts";
import { PASSWORD } from "./harness.ts";

/** Who signs in. */
export const EMAIL = "ada@example.com";
/** Folder for pictures of everything that is looked at; none without it. */
const PICTURES = Deno.env.get("PICTURES");

/** What the walks share. */
export interface Walk {
  site: FullSite;
  browser: TestBrowser;
  /** Signed in as Ada, who is an administrator. */
  ada: Watched;
  token: string;
}

/** Checks what is seen now: accessibility, width, and that nothing hostile ran. */
export async function look(watched: Watched, what: string): Promise<void> {
  await watched.checkAccessibility(what);
  const found = await watched.page.evaluate(`({
    overflow: document.documentElement.scrollWidth - innerWidth,
    hacked: globalThis.hacked ?? null,
    headings: document.querySelectorAll("h1").length,
  })`);
  assertEquals(found, { overflow: 0, hacked: null, headings: 1 }, what);
  assertEquals(watched.problems, [], what);
  if (PICTURES !== undefined) await watched.photograph(what, PICTURES);
}

/** Signs in at the embedded issuer. */
export async function signInHere(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/login?to=/profile`);
  await page.getByLabel("E-mail address").fill(EMAIL);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { name: "Your servers" }).waitFor();
}
