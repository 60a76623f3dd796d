import { assert, assertEquals, assertMatch } from "@std/assert";
import { createApp } from "../../src/http/app.ts";
import { stubServices } from "./stub_services.ts";

Deno.test("/docs loads nothing but what this service serves", async () => {
  const app = createApp(stubServices().services);
  const page = await app.request("/docs");
  const html = await page.text();
  assertMatch(page.headers.get("content-type") ?? "", /text\/html/);
  const policy = page.headers.get("content-security-policy") ?? "";
  assertMatch(policy, /default-src 'none'/);
  assert(!policy.includes("unsafe"));
  const addresses = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address!);
  assertEquals(addresses.filter((address) => !/^(\/|data:,$)/.test(address)), []);
  for (const address of addresses.filter((one) => one.startsWith("/"))) {
    const response = await app.request(address);
    assertEquals(response.status, 200, address);
    assert(response.headers.get("etag"), address);
    await response.body?.cancel();
  }
});

Deno.test("/docs keeps the path of the public address", async () => {
  const stub = stubServices();
  stub.services.publicUrl = "https://registry.example/berth";
  const app = createApp(stub.services);
  assertMatch(await (await app.request("/docs")).text(), /src="\/berth\/docs\/start\.js"/);
  assertMatch(
    await (await app.request("/docs/start.js")).text(),
    /"\/berth\/api\/v1\/openapi\.json"/,
  );
  const response = await app.request("/");
  assertEquals([response.status, response.headers.get("location")], [302, "/berth/docs"]);
});
