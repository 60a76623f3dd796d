import { assertEquals } from "@std/assert";
import { OpenAPIHono } from "@hono/zod-openapi";
import type { HttpEnv } from "../../src/http/environment.ts";
import { ready } from "../../src/http/routes/health.ts";
import { recordingLogger } from "../helpers/log.ts";

Deno.test("readiness tells the log why a check fails when that changes, however often it is asked", async () => {
  const { log, lines } = recordingLogger();
  const app = new OpenAPIHono<HttpEnv>();
  app.use(async (c, next) => {
    c.set("log", log);
    await next();
  });
  app.onError((_error, c) => c.body(null, 503));
  let fault: string | null = null;
  const readiness = ready({
    database: () => fault === null ? Promise.resolve() : Promise.reject(new Error(fault)),
    sessions: () => Promise.resolve(),
  });
  readiness(app, "get", "/readyz");
  async function ask(times: number, status: number): Promise<void> {
    for (let i = 0; i < times; i++) assertEquals((await app.request("/readyz")).status, status);
  }
  await ask(3, 200);
  fault = "away";
  await ask(5, 503);
  fault = "full";
  await ask(5, 503);
  fault = null;
  await ask(3, 200);
  fault = "full";
  await ask(2, 503);
  assertEquals(lines.map(({ event, check, reason }) => [event, check, reason]), [
    ["health.check_failed", "database", "away"],
    ["health.check_failed", "database", "full"],
    ["health.check_works", "database", undefined],
    ["health.check_failed", "database", "full"],
  ]);
});
