import { assert, assertEquals, assertMatch } from "@std/assert";
import { createApp } from "../../src/http/app.ts";
import type { RegistryAppServices } from "../../src/http/services.ts";
import { startTokenIssuer } from "../helpers/token_issuer.ts";
import { stubServices } from "./stub_services.ts";

function open(changes: Partial<RegistryAppServices> = {}) {
  const stub = stubServices();
  const app = createApp({ ...stub.services, ...changes });
  return { ...stub, app };
}

Deno.test("request ids: a well-formed one is kept, others are replaced", async () => {
  const { app } = open();
  for (const sent of ["abc-1.2_3", "x".repeat(64)]) {
    const response = await app.request("/nothing", { headers: { "x-request-id": sent } });
    assertEquals(response.headers.get("x-request-id"), sent);
    assertEquals((await response.json()).request_id, sent);
  }
  for (const sent of ["a b", "x".repeat(65), "<script>", ""]) {
    const response = await app.request("/nothing", { headers: { "x-request-id": sent } });
    assertMatch(response.headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
    await response.body?.cancel();
  }
});

Deno.test("access log: one line a request, without query, token or body", async () => {
  const issuer = await startTokenIssuer();
  const stub = stubServices(issuer);
  const app = createApp(stub.services);
  const token = await issuer.mint({ sub: "jane" });
  const response = await app.request("/api/v1/auth/me?token=secret-query", {
    headers: { authorization: `Bearer ${token}` },
  });
  await response.body?.cancel();
  await issuer.close();
  assertEquals(stub.lines.length, 1);
  const { time: _time, ms, ...line } = stub.lines[0]!;
  assertEquals(typeof ms, "number");
  assertEquals(line, {
    level: "info",
    event: "http.request",
    request_id: response.headers.get("x-request-id"),
    method: "GET",
    path: "/api/v1/auth/me",
    status: 200,
    user: "jane",
  });
  assert(!JSON.stringify(stub.lines).includes("secret-query"));
  assert(!JSON.stringify(stub.lines).includes(token.slice(0, 20)));
});

Deno.test("failures: internals go to the log with the request's id, never to the caller", async () => {
  const { app, lines, services } = open();
  services.registry.list = () => Promise.reject(new Error("connection to 10.0.0.7 lost"));
  const response = await app.request("/api/v1/servers");
  assertEquals(await response.json(), {
    status: "error",
    detail: "Internal server error",
    request_id: response.headers.get("x-request-id"),
  });
  const line = lines.find(({ event }) => event === "http.failed");
  assertEquals(line?.request_id, response.headers.get("x-request-id"));
  assertMatch(JSON.stringify(line), /10\.0\.0\.7/);
});

Deno.test("failures: a lost database is 503", async () => {
  const { app, services } = open();
  const lost = Object.assign(new Error("lost"), { code: "CONNECTION_CLOSED" });
  services.registry.list = () => Promise.reject(lost);
  const response = await app.request("/api/v1/servers");
  assertEquals([response.status, response.headers.get("retry-after")], [503, "5"]);
  await response.body?.cancel();
});

const METHODS = "GET, POST, PUT, DELETE, OPTIONS";
const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": METHODS,
  "access-control-allow-headers": "Content-Type, Authorization",
  "access-control-expose-headers": "ETag, Link, Location, Retry-After, RateLimit, RateLimit-Policy",
};

Deno.test("CORS: any origin on every response, and no credentials", async (t) => {
  const { app, services } = open();
  services.registry.archive = () => Promise.reject(new Error("broken"));
  const requests: [path: string, method: string, status: number][] = [
    ["/api/v1/servers", "GET", 200],
    ["/api/v1/servers", "HEAD", 200],
    ["/api/v1/servers", "OPTIONS", 204],
    ["/api/v1/servers", "POST", 401],
    ["/api/v1/servers", "PATCH", 405],
    ["/api/v1/servers/nothing", "GET", 404],
    ["/api/v1/servers/weather/archive", "GET", 500],
    ["/nothing", "GET", 404],
    ["/nothing", "OPTIONS", 204],
    ["/healthz", "GET", 200],
  ];
  for (const [path, method, status] of requests) {
    await t.step(`${method} ${path}`, async () => {
      const response = await app.request(path, {
        method,
        headers: { origin: "https://elsewhere.example", "access-control-request-method": "PUT" },
      });
      assertEquals(response.status, status);
      for (const [name, value] of Object.entries(CORS)) {
        assertEquals(response.headers.get(name), value);
      }
      assertEquals(response.headers.get("access-control-allow-credentials"), null);
      assertEquals(response.headers.get("set-cookie"), null);
      await response.body?.cancel();
    });
  }
});

Deno.test("methods: others than an address has are 405 with Allow", async (t) => {
  const { app } = open();
  const cases: [path: string, method: string, allow: string][] = [
    ["/api/v1/servers", "DELETE", "GET, POST, HEAD, OPTIONS"],
    ["/api/v1/servers/weather", "POST", "GET, PUT, DELETE, HEAD, OPTIONS"],
    ["/api/v1/servers/weather/rescan", "GET", "POST, OPTIONS"],
    ["/api/v1/auth/me", "POST", "GET, PUT, DELETE, HEAD, OPTIONS"],
    ["/healthz", "POST", "GET, HEAD, OPTIONS"],
    ["/healthz", "TRACE-NOT", "GET, HEAD, OPTIONS"],
  ];
  for (const [path, method, allow] of cases) {
    await t.step(`${method} ${path}`, async () => {
      const response = await app.request(path, { method });
      assertEquals([response.status, response.headers.get("allow")], [405, allow]);
      assertEquals((await response.json()).status, "error");
    });
  }
});

Deno.test("addresses: unknown ones and trailing slashes are 404 as JSON", async () => {
  const { app } = open();
  for (
    const path of ["/api/v1/servers/", "/api/v1", "/api/v2/servers", "/API/v1/servers", "/docs/"]
  ) {
    const response = await app.request(path);
    assertEquals([response.status, response.headers.get("content-type")], [
      404,
      "application/json",
    ]);
    assertEquals((await response.json()).status, "error");
  }
});

Deno.test("HEAD has the headers of GET and no body", async () => {
  const { app } = open();
  for (const path of ["/api/v1/servers", "/api/v1/servers/weather", "/healthz"]) {
    const get = await app.request(path);
    const head = await app.request(path, { method: "HEAD" });
    assertEquals(await head.text(), "");
    assertEquals(head.headers.get("etag"), get.headers.get("etag"));
    assertEquals([head.status, head.headers.get("content-type")], [
      get.status,
      get.headers.get("content-type"),
    ]);
    await get.body?.cancel();
  }
});

Deno.test("paging: next_cursor and Link lead to the next page with the same filters", async () => {
  const { app, services } = open({ publicUrl: "https://registry.example/berth/" });
  const queries: unknown[] = [];
  services.registry.list = (query) => {
    queries.push(query);
    return Promise.resolve({
      servers: [],
      nextCursor: "a+b/c=",
      previousCursor: null,
      totalMatching: 7,
    });
  };
  const response = await app.request("/api/v1/servers?author=acme&limit=2&cursor=old");
  assertEquals((await response.json()).next_cursor, "a+b/c=");
  assertEquals(
    response.headers.get("link"),
    '</berth/api/v1/servers?author=acme&limit=2&cursor=a%2Bb%2Fc%3D>; rel="next"',
  );
  assertEquals(queries, [{ author: "acme", limit: 2, cursor: "old", sort: "name" }]);
});

const HOSTS: [host: string, bindHost: string, publicUrl: string, status: number][] = [
  ["localhost:8000", "127.0.0.1", "http://127.0.0.1:8000", 200],
  ["127.0.0.1", "127.0.0.1", "http://127.0.0.1:8000", 200],
  ["127.8.9.1:80", "localhost", "http://127.0.0.1:8000", 200],
  ["[::1]:8000", "::1", "http://[::1]:8000", 200],
  ["[::ffff:127.0.0.1]", "127.0.0.1", "http://127.0.0.1:8000", 200],
  ["berth.localhost:1", "127.0.0.1", "http://127.0.0.1:8000", 200],
  ["LOCALHOST.", "127.0.0.1", "http://127.0.0.1:8000", 200],
  ["registry.example", "127.0.0.1", "https://registry.example", 200],
  ["Registry.Example:443", "127.0.0.1", "https://registry.example", 200],
  ["evil.example", "127.0.0.1", "http://127.0.0.1:8000", 403],
  ["evil.example:8000", "127.0.0.1", "https://registry.example", 403],
  ["127.0.0.1.evil.example", "127.0.0.1", "http://127.0.0.1:8000", 403],
  ["localhost.evil.example", "127.0.0.1", "http://127.0.0.1:8000", 403],
  ["localhost@evil.example", "127.0.0.1", "http://127.0.0.1:8000", 403],
  ["evil.example@localhost", "127.0.0.1", "http://127.0.0.1:8000", 403],
  ["192.168.1.4:8000", "127.0.0.1", "http://127.0.0.1:8000", 403],
  ["0.0.0.0:8000", "127.0.0.1", "http://127.0.0.1:8000", 403],
  ["local host", "127.0.0.1", "http://127.0.0.1:8000", 403],
  ["evil.example", "0.0.0.0", "https://registry.example", 200],
];

Deno.test("Host: on a loopback bind only this machine's names are served", async (t) => {
  for (const [host, bindHost, publicUrl, status] of HOSTS) {
    await t.step(`${host} on ${bindHost} as ${publicUrl}`, async () => {
      const { app } = open({ bindHost, publicUrl });
      const response = await app.request("/healthz", { headers: { host } });
      assertEquals(response.status, status);
      const body = await response.json();
      if (status === 403) {
        assertEquals(body.error.code, "FORBIDDEN");
        assertEquals(Object.keys(body.error.details), ["required", "current"]);
      }
    });
  }
});

Deno.test("Origin is never refused", async () => {
  const { app } = open();
  const response = await app.request("/healthz", { headers: { origin: "https://evil.example" } });
  assertEquals(response.status, 200);
  await response.body?.cancel();
});

Deno.test("order of checks: 401, 404, 403, then the body", async (t) => {
  const issuer = await startTokenIssuer();
  const app = createApp(stubServices(issuer).services);
  const bearer = `Bearer ${await issuer.mint({ sub: "somebody-else" })}`;
  const cases: [path: string, authorization: string, status: number][] = [
    ["/api/v1/servers/nothing", "", 401],
    ["/api/v1/servers/nothing", bearer, 404],
    ["/api/v1/servers/weather", bearer, 403],
    ["/api/v1/servers/weather", `Bearer ${await issuer.mint({ sub: "owner" })}`, 400],
  ];
  for (const [path, authorization, status] of cases) {
    await t.step(String(status), async () => {
      const response = await app.request(path, {
        method: "PUT",
        headers: { authorization, "content-type": "application/json", "if-match": '"stale"' },
        body: "{oops",
      });
      assertEquals(response.status, status);
      await response.body?.cancel();
    });
  }
  await issuer.close();
});

Deno.test("security headers are on every response, HSTS where the address is https", async () => {
  for (const publicUrl of ["http://127.0.0.1:8000", "https://registry.example"]) {
    const { app } = open({ publicUrl });
    const response = await app.request("/nothing");
    assertEquals(response.headers.get("x-frame-options"), "DENY");
    assertEquals(response.headers.get("cache-control"), "no-store");
    assertMatch(response.headers.get("content-security-policy") ?? "", /default-src 'none'/);
    assertEquals(
      response.headers.has("strict-transport-security"),
      publicUrl.startsWith("https:"),
    );
    await response.body?.cancel();
  }
});
