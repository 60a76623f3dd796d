/**
 * Debian's Chromium for tests: pages whose console, failed requests and accessibility are watched.
 *
 * @module
 */
import axe from "axe-core";
import { assertEquals } from "@std/assert";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

const PATHS = ["/usr/bin/chromium", "/usr/bin/chromium-browser"];
/** Loaded machines are slow: nothing here is about speed. */
const PATIENCE_MS = 300_000;
/** Widths and schemes of pictures: phone, tablet, desktop. */
const PICTURE_WIDTHS = [390, 768, 1440];
const SCHEMES = ["light", "dark"] as const;
const AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** How a page is looked at. */
export interface ViewOptions {
  width?: number;
  height?: number;
  dark?: boolean;
  scripts?: boolean;
}

/** A page, and what went wrong on it. */
export interface Watched {
  page: Page;
  context: BrowserContext;
  /** Errors in the console, uncaught ones and failed requests, as text. */
  problems: string[];
  /** Fails unless the page as it is now has no violation of WCAG 2.2 AA. */
  checkAccessibility(what: string): Promise<void>;
  /**
   * Writes pictures of the page as it is now, at three widths, light and dark, into `folder`; fails
   * where one of them has a violation, or is wider than the window.
   */
  photograph(what: string, folder: string): Promise<void>;
}

/** A running browser; ends with `await using`. */
export interface TestBrowser extends AsyncDisposable {
  open(url: string, options?: ViewOptions): Promise<Watched>;
}

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/** Starts Chromium. @throws {Error} When it is not installed. */
export async function startChromium(): Promise<TestBrowser> {
  const executablePath = PATHS.find(isThere);
  if (executablePath === undefined) {
    throw new Error("Chromium is not installed: apt-get install chromium");
  }
  const browser: Browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
    timeout: PATIENCE_MS,
  });

  async function open(url: string, options: ViewOptions = {}): Promise<Watched> {
    const { width = 1280, height = 900, dark = false, scripts = true } = options;
    const context = await browser.newContext({
      baseURL: url,
      viewport: { width, height },
      colorScheme: dark ? "dark" : "light",
      javaScriptEnabled: scripts,
      reducedMotion: "reduce",
      permissions: ["clipboard-read", "clipboard-write"],
    });
    context.setDefaultTimeout(PATIENCE_MS);
    context.setDefaultNavigationTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("console", (message) => {
      // A failure's status is what the page is about.
      const isStatus = /the server responded with a status of [45]\d\d/.test(message.text());
      if (message.type() === "error" && !isStatus) problems.push(message.text());
    });
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("requestfailed", (request) => {
      const reason = request.failure()?.errorText ?? "";
      // What a further search or a left page has made pointless.
      if (reason !== "net::ERR_ABORTED") problems.push(`${request.url()}: ${reason}`);
    });
    page.on("request", (request) => {
      const { origin, protocol } = new URL(request.url());
      const isOwn = origin === new URL(url).origin || protocol === "data:";
      if (!isOwn) problems.push(`asks elsewhere: ${request.url()}`);
    });
    await page.goto(url);

    async function checkAccessibility(what: string): Promise<void> {
      await page.evaluate(axe.source);
      const found = await page.evaluate(async (tags) => {
        const { axe } = globalThis as unknown as {
          axe: { run(options: unknown): Promise<{ violations: AxeViolation[] }> };
        };
        const { violations } = await axe.run({ runOnly: { type: "tag", values: tags } });
        return violations.map(({ id, nodes }) =>
          `${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 200)).join(" | ")}`
        );
      }, AXE_TAGS);
      assertEquals(found, [], `accessibility of ${what}`);
    }

    async function photograph(what: string, folder: string): Promise<void> {
      const name = what.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
      for (const width of PICTURE_WIDTHS) {
        for (const colorScheme of SCHEMES) {
          await page.setViewportSize({ width, height });
          await page.emulateMedia({ colorScheme });
          const path = `${folder}/${name}-${width}-${colorScheme}.png`;
          await page.screenshot({ path, fullPage: true });
          await checkAccessibility(`${what}, ${width} wide, ${colorScheme}`);
          const beyond = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
          assertEquals(beyond, 0, `${what} is wider than ${width}`);
        }
      }
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
    }

    return { page, context, problems, checkAccessibility, photograph };
  }
  return { open, [Symbol.asyncDispose]: () => browser.close() };
}

interface AxeViolation {
  id: string;
  nodes: { html: string }[];
}
