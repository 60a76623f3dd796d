/**
 * The registry as its operator starts it, on a port of this process, with browsers that have no
 * scripts.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { parseConfig } from "../../src/config.ts";
import { listen } from "../../src/http/listen.ts";
import { startBerth } from "../../src/services.ts";
import type { Sql } from "../../src/database/client.ts";
import { createBrowser, formsOf } from "../helpers/browser.ts";
import { prepareDataDir, silentLog } from "../helpers/database.ts";
import { recordingLogger } from "../helpers/log.ts";
import { openDatabase } from "../../src/database/open.ts";

export const PASSWORD = "correct horse battery";

/** A running registry. */
export interface TestSite {
  url: string;
  /** Lines on the operator's terminal, and of the log. */
  terminal: string[];
  lines: Record<string, unknown>[];
  close(): Promise<void>;
}

/** Where a database is that a test looks into while the site runs. */
export interface SiteOptions {
  environment?: Record<string, string>;
  /** Called with the port, where the environment depends on it. */
  environmentOf?: (url: string) => Record<string, string> | Promise<Record<string, string>>;
  dataDir?: string;
}

/** Starts a registry without execution listener. */
export async function startSite(options: SiteOptions = {}): Promise<TestSite> {
  const dataDir = options.dataDir ?? await prepareDataDir();
  const listener = await listen({
    hostname: "127.0.0.1",
    port: 0,
    onError: () => new Response(null, { status: 500 }),
  });
  const url = `http://127.0.0.1:${listener.port}`;
  const { log, lines } = recordingLogger();
  const terminal: string[] = [];
  const environment = { ...options.environment, ...await options.environmentOf?.(url) };
  const berth = await startBerth(
    parseConfig({ ROLE: "registry", DATA_DIR: dataDir, ...environment }),
    {
      log,
      registryPort: listener.port,
      executionPort: listener.port + 1,
      announce: (line) => terminal.push(line),
    },
  );
  listener.serve(berth.registry!);
  return {
    url,
    terminal,
    lines,
    async close() {
      berth.beginShutdown();
      await listener.drain();
      await berth.close();
      if (options.dataDir === undefined) await Deno.remove(dataDir, { recursive: true });
    },
  };
}

/** A page that a browser has loaded. */
export interface Loaded {
  url: URL;
  status: number;
  headers: Headers;
  html: string;
}

/** Somebody with a browser. */
export interface Person {
  /** Loads `path` of `site`, or any address. */
  load(path: string, init?: RequestInit): Promise<Loaded>;
  /** Sends the form of `page` whose action ends with `action`. */
  send(page: Loaded, action: string, fields?: Record<string, string>): Promise<Loaded>;
  cookies(): string;
  /** Cookies as they were set, in order. */
  setCookies: string[];
}

/** A person who looks at `site`. */
export function personAt(site: Pick<TestSite, "url">): Person {
  const setCookies: string[] = [];
  const browser = createBrowser(async (url, init) => {
    const headers = new Headers(init.headers);
    if (!headers.has("accept")) headers.set("accept", "text/html");
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    setCookies.push(...response.headers.getSetCookie());
    return response;
  });
  async function loaded({ url, response }: { url: URL; response: Response }): Promise<Loaded> {
    const { status, headers } = response;
    return { url, status, headers, html: await response.text() };
  }
  return {
    setCookies,
    cookies: () => browser.cookies(`${site.url}/`),
    load: async (path, init) => await loaded(await browser.open(new URL(path, site.url), init)),
    async send(page, action, fields = {}) {
      const index = formsOf(page).findIndex((form) => form.action.pathname.endsWith(action));
      assert(index >= 0, `no form to ${action} at ${page.url}:\n${page.html}`);
      return await loaded(await browser.submit(page, fields, { index }));
    },
  };
}

/** The last link that was printed on the terminal, which must be about `path`. */
export async function linkOf(site: TestSite, path: string): Promise<string> {
  for (let round = 0; round < 15_000; round++) {
    const line = site.terminal.findLast((one) => one.includes(`${path}?token=`));
    const found = line === undefined ? null : /https?:\S+/.exec(line);
    if (found !== null) return found[0];
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`No link to ${path} was printed: ${site.terminal.join("\n")}`);
}

/** Makes an account at the embedded issuer. */
export async function signUp(site: TestSite, email: string): Promise<void> {
  const person = personAt(site);
  const before = site.terminal.length;
  const ask = await person.load("/oidc/sign-up");
  await person.send(ask, "/sign-up", { email });
  while (site.terminal.length === before) await new Promise((r) => setTimeout(r, 20));
  const choose = await person.load(await linkOf(site, "/verify"));
  const done = await person.send(choose, "/verify", { password: PASSWORD, repeated: PASSWORD });
  assertEquals(done.status, 200, done.html);
}

/** Signs in at the embedded issuer; returns where that ends. */
export async function signIn(person: Person, email: string, to = "/profile"): Promise<Loaded> {
  const page = await person.load(`/login?to=${encodeURIComponent(to)}`);
  return await person.send(page, "/sign-in", { email, password: PASSWORD });
}

/** The embedded database of a site that is not running, for looking and changing. */
export async function withDatabase<T>(
  dataDir: string,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  const database = await openDatabase({ dataDir, log: silentLog });
  try {
    return await work(database.sql);
  } finally {
    await database.close();
  }
}
