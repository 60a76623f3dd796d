import { assertEquals } from "@std/assert";
import { Hono } from "hono";
import type { HttpEnv } from "../../src/http/environment.ts";
import { pageTurns } from "../../src/web/layout/page_turns.ts";

/** Pages that are answered when `open` is called, and how many are being made. */
function slowPages() {
  const app = new Hono<HttpEnv>();
  const gate = Promise.withResolvers<void>();
  const making: string[] = [];
  let most = 0;
  app.use(async (c, next) => {
    c.set("client", c.req.header("client") ?? null);
    await next();
  });
  app.use(pageTurns());
  app.all("/page", async (c) => {
    const client = c.req.header("client") ?? "";
    making.push(client);
    most = Math.max(most, making.filter((one) => one === client).length);
    await gate.promise;
    making.splice(making.indexOf(client), 1);
    return c.text("made");
  });
  app.all("/broken", () => {
    throw new Error("broken");
  });
  app.onError((_error, c) => c.text("broken", 500));
  const ask = async (client: string, path = "/page", init: RequestInit = {}) =>
    await app.request(path, { ...init, headers: { client } });
  return { ask, making, open: () => gate.resolve(), most: () => most };
}

/** Lets what can go on go on. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
}

Deno.test("pages of one address are made one after the other, whatever its connections", async () => {
  const { ask, making, open, most } = slowPages();
  const asked = Array.from({ length: 50 }, () => ask("192.0.2.1"));
  await settle();
  assertEquals(making, ["192.0.2.1"]);
  const other = ask("192.0.2.2");
  await settle();
  assertEquals(making, ["192.0.2.1", "192.0.2.2"], "another address does not wait");
  open();
  const answers = await Promise.all([...asked, other]);
  assertEquals(answers.map(({ status }) => status), new Array(51).fill(200));
  assertEquals(most(), 1);
});

Deno.test("addresses that one client can choose from are one address", async () => {
  const { ask, making, open } = slowPages();
  const asked = [1, 2, 3].map((last) => ask(`2001:db8::${last}`));
  await settle();
  assertEquals(making.length, 1);
  open();
  await Promise.all(asked);
});

Deno.test("what changes something waits for no page", async () => {
  const { ask, making, open } = slowPages();
  const asked = [ask("192.0.2.1"), ask("192.0.2.1", "/page", { method: "POST" })];
  await settle();
  assertEquals(making.length, 2);
  open();
  await Promise.all(asked);
});

Deno.test("a page that fails or has nobody left to see it gives its turn to the next", async () => {
  const { ask, making, open } = slowPages();
  const left = new AbortController();
  const first = ask("192.0.2.1");
  const gone = ask("192.0.2.1", "/page", { signal: left.signal });
  const broken = ask("192.0.2.1", "/broken");
  const missing = ask("192.0.2.1", "/missing");
  const next = ask("192.0.2.1");
  await settle();
  assertEquals(making.length, 1);
  left.abort();
  open();
  const answers = await Promise.all([first, gone, broken, missing, next]);
  assertEquals(answers.map(({ status }) => status), [200, 408, 500, 404, 200]);
});
