import { now } from "../../src/clock.ts";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { createExecutionApp } from "../../src/http/execution_app.ts";
import { failureEnvelope } from "../../src/http/envelopes.ts";
import { listen } from "../../src/http/listen.ts";
import { createExecution, type Execution } from "../../src/execution/execution.ts";
import { systemClock } from "../../src/execution/clock.ts";
import type { RunnableServer } from "../../src/execution/types.ts";
import { patient } from "../helpers/clients.ts";
import { openTestDatabase } from "../helpers/database.ts";
import { silentLogger } from "../helpers/log.ts";
import { fakeHosts } from "../execution/fake_hosts.ts";
import { INITIALIZE, json, post, remove, rpc, SERVER } from "../execution/harness.ts";

const ARCHIVE = new TextEncoder().encode("archive");

interface Running {
  execution: Execution;
  hosts: ReturnType<typeof fakeHosts>;
  fetch: (request: Request, remote?: string) => Promise<Response>;
}

/** The whole execution side over an embedded database; only the sandbox is an in-memory one. */
async function withExecution(body: (running: Running) => Promise<void>): Promise<void> {
  const database = await openTestDatabase();
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", ARCHIVE)).toHex();
  const hosts = fakeHosts({
    answer: (method, params) => {
      if (method === "tools/list") {
        const inputSchema = { type: "object", properties: {} };
        return { kind: "result", result: { tools: [{ name: "echo", inputSchema }] } };
      }
      const text = JSON.stringify((params as { arguments: unknown }).arguments);
      return { kind: "result", result: { content: [{ type: "text", text }] } };
    },
  });
  const server: RunnableServer = { ...SERVER, archiveSha256: digest };
  const execution = createExecution({
    keysPage: (server) => `http://registry.test/servers/${server}/keys`,
    sql: database.sql,
    hosts,
    egress: { open: () => () => Promise.reject(new Error("no network here")) },
    clock: systemClock,
    log: silentLogger(),
    newId: () => crypto.randomUUID(),
    findRunnable: (name) => Promise.resolve(name === "weather" ? server : null),
    loadArchive: () => Promise.resolve(ARCHIVE),
    readArchive: () => Promise.resolve(new Map()),
    policy: "unless-failed",
    authenticate: () => Promise.reject(new Error("unused")),
    failureOf: failureEnvelope,
    settings: {
      authentication: "optional",
      profile: "restricted",
      toolsPolicy: "scanned",
      idleSeconds: 1800,
      callTimeoutSeconds: 60,
      maxSessions: 10,
      sessionsPerClient: 5,
      callsPerMinute: 600,
      parkAfterSeconds: 0,
      parkedMb: 1,
    },
  });
  const app = createExecutionApp({
    log: silentLogger(),
    now,
    newId: () => crypto.randomUUID(),
    bindHost: "127.0.0.1",
    publicUrl: "http://127.0.0.1:8001",
    trustedProxies: [],
    checks: { broken: () => Promise.reject(new Error("down")) },
    transport: execution.transport,
    issuer: null,
  });
  try {
    await body({
      execution,
      hosts,
      async fetch(request, remote = "127.0.0.1") {
        const remoteAddr = { transport: "tcp" as const, hostname: remote, port: 1 };
        return await app.fetch(request, { remoteAddr });
      },
    });
  } finally {
    await execution.close();
    await database.close();
  }
}

function checkCors(response: Response): void {
  assertEquals(response.headers.get("access-control-allow-origin"), "*");
  assertStringIncludes(response.headers.get("access-control-allow-headers")!, "Mcp-Session-Id");
  assertEquals(
    response.headers.get("access-control-expose-headers"),
    "Mcp-Session-Id, WWW-Authenticate",
  );
  assert(response.headers.has("x-request-id"));
}

Deno.test("execution listener: the specification's walk, over the database", async () => {
  await withExecution(async ({ fetch, execution }) => {
    const first = await fetch(post(INITIALIZE));
    checkCors(first);
    assertEquals((await json(first, 200)).result.protocolVersion, "2025-11-25");
    await json(await fetch(post(rpc("tools/list", undefined, 2))), 200);
    assertEquals(execution.metrics.sessionsActive, 1);
    const removed = await fetch(remove("s1"));
    assertEquals(removed.status, 204);
    checkCors(removed);
    const gone = await fetch(post(rpc("tools/list", undefined, 3)));
    checkCors(gone);
    const body = await json(gone, 404);
    assertEquals([body.error.code, body.id], [-32001, 3]);
    assertEquals(body.error.data.status, "error");
    assertEquals(body.error.data.request_id, gone.headers.get("x-request-id"));
    await json(await fetch(post(INITIALIZE)), 200);
    await execution.endServerSessions("weather");
    assertEquals((await fetch(post(rpc("ping")))).status, 404);
    assertEquals(execution.metrics.calls, 1);
  });
});

Deno.test("execution listener: preflight, health, unknown paths, methods and Host", async () => {
  await withExecution(async ({ fetch }) => {
    const url = "http://localhost/mcp?name=weather";
    const preflight = await fetch(new Request(url, { method: "OPTIONS" }));
    assertEquals(preflight.status, 204);
    checkCors(preflight);
    assertEquals((await fetch(new Request("http://localhost/healthz"))).status, 200);
    for (
      const [request, status] of [
        [new Request("http://localhost/readyz"), 503],
        [new Request("http://localhost/nothing"), 404],
        [new Request(url), 400],
        [new Request(url, { method: "PATCH" }), 405],
        [new Request(url, { headers: { host: "evil.example" } }), 403],
        [new Request(url, { method: "DELETE", headers: { host: "169.254.169.254" } }), 403],
      ] as const
    ) {
      const response = await fetch(request);
      checkCors(response);
      const body = await json(response, status);
      assertEquals([body.jsonrpc, body.id], ["2.0", null]);
      assert(typeof body.error.code === "number" && body.error.data.request_id);
    }
  });
});

Deno.test("execution listener: limits are per address of the peer", async () => {
  await withExecution(async ({ fetch }) => {
    for (let i = 0; i < 5; i++) await fetch(post(INITIALIZE, { session: `a${i}` }));
    assertEquals((await fetch(post(INITIALIZE, { session: "a5" }))).status, 429);
    const spoofed = post(INITIALIZE, { session: "a6", headers: { "x-forwarded-for": "1.2.3.4" } });
    assertEquals((await fetch(spoofed)).status, 429);
    assertEquals((await fetch(post(INITIALIZE, { session: "b" }), "192.0.2.7")).status, 200);
  });
});

Deno.test("execution listener: the official TypeScript SDK's client works unchanged", async () => {
  await withExecution(async ({ fetch, execution }) => {
    const listener = await listen({
      hostname: "127.0.0.1",
      port: 0,
      onError: () => new Response("escaped", { status: 500 }),
    });
    listener.serve((request, { remoteAddr }) => fetch(request, remoteAddr.hostname));
    const address = new URL(`http://127.0.0.1:${listener.port}/mcp?name=weather`);
    const transport = new StreamableHTTPClientTransport(address);
    const client = patient(new Client({ name: "test", version: "1.0.0" }));
    try {
      // The SDK's own class does not satisfy its interface under exactOptionalPropertyTypes.
      await client.connect(transport as Transport);
      assertEquals(client.getServerVersion()?.name, "Weather");
      assertEquals((await client.listTools()).tools.map((tool: { name: string }) => tool.name), [
        "echo",
      ]);
      const result = await client.callTool({ name: "echo", arguments: { city: "Bern" } });
      assertEquals(result.content, [{ type: "text", text: '{"city":"Bern"}' }]);
      await client.ping();
      await client.setLoggingLevel("debug");
      await assertRejects(() => client.request({ method: "nope" }, {} as never));
      await transport.terminateSession();
      assertEquals(execution.metrics.sessionsActive, 0);
    } finally {
      await client.close();
      await listener.drain();
    }
  });
});
