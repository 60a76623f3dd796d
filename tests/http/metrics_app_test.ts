import { assertEquals, assertStringIncludes } from "@std/assert";
import { createMetricsApp } from "../../src/http/metrics_app.ts";
import { countRequest, createHttpMetrics } from "../../src/http/plumbing/count_requests.ts";
import { Hono } from "hono";
import type { HttpEnv } from "../../src/http/environment.ts";
import { silentLog } from "../helpers/database.ts";

const options = {
  log: silentLog,
  now: () => new Date(),
  newId: () => "id",
  bindHost: "127.0.0.1",
  publicUrl: "http://127.0.0.1:9000",
};

Deno.test("the metrics listener has its figures for the operator, and for no page elsewhere", async () => {
  const app = createMetricsApp({
    ...options,
    read: () => [{ name: "up", help: "Up", type: "gauge", samples: [{ value: 1 }] }],
  });
  const answer = await app.request("http://127.0.0.1:9000/metrics", {
    headers: { origin: "https://pages.example" },
  });
  assertEquals(answer.status, 200);
  assertEquals(answer.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  assertEquals(answer.headers.get("access-control-allow-origin"), null);
  assertEquals(answer.headers.get("cross-origin-resource-policy"), "same-origin");
  assertStringIncludes(await answer.text(), "\nup 1\n");
  const rebound = await app.request("http://evil.example/metrics");
  assertEquals(rebound.status, 403);
  await rebound.body?.cancel();
  assertEquals((await app.request("http://127.0.0.1:9000/")).status, 404);
  assertEquals(
    (await app.request("http://127.0.0.1:9000/metrics", { method: "POST" })).status,
    405,
  );
});

Deno.test("countRequest() counts by method and status, and methods nobody knows as one", async () => {
  const metrics = createHttpMetrics();
  const app = new Hono<HttpEnv>();
  app.use(async (c, next) => {
    await next();
    countRequest(metrics, c, 1);
  });
  app.get("/", (c) => c.text("here"));
  for (
    const [path, method] of [["/", "GET"], ["/", "GET"], ["/no", "GET"], ["/", "X1"], ["/", "X2"]]
  ) {
    await app.request(path!, { method: method! });
  }
  const counts = [...metrics.requests].map(([method, statuses]) => [method, [...statuses]]);
  assertEquals(counts, [["GET", [[200, 2], [404, 1]]], ["other", [[404, 2]]]]);
  assertEquals(metrics.seconds.count, 5);
});
