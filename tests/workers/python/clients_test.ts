import { assert, assertEquals, assertMatch } from "@std/assert";
import { Interpreter } from "./pyodide.ts";

const python = await Interpreter.boot();

/** One request that the client made. */
interface Seen {
  method: string;
  url: string;
  headers: Record<string, string>;
  // deno-lint-ignore no-explicit-any -- messages have many shapes
  message: any;
}

type Answer = { status: number; headers?: Record<string, string>; body?: string };

/** Answers the requests of Python, and keeps them. */
function serve(answer: (seen: Seen) => Answer): Seen[] {
  const all: Seen[] = [];
  python.http = (text, body) => {
    const meta = JSON.parse(text);
    const message = body !== null && body.length > 0
      ? JSON.parse(new TextDecoder().decode(body))
      : null;
    const headers = Object.fromEntries(
      (meta.headers as [string, string][]).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const seen = { method: meta.method, url: meta.url, headers, message };
    all.push(seen);
    const { status, headers: sent = {}, body: content = "" } = answer(seen);
    const outcome = { kind: "response", status, reason: "", headers: Object.entries(sent) };
    return Promise.resolve([JSON.stringify(outcome), new TextEncoder().encode(content)]);
  };
  return all;
}

function result(seen: Seen): unknown {
  switch (seen.message?.method) {
    case "initialize":
      return {
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "far", version: "9" },
      };
    case "tools/list":
      return { tools: [{ name: "add", inputSchema: { type: "object" } }] };
    case "tools/call":
      return {
        content: [{ type: "text", text: JSON.stringify(seen.message.params.arguments) }],
        isError: seen.message.params.name !== "add",
      };
    default:
      return {};
  }
}

function json(seen: Seen): Answer {
  const { id } = seen.message ?? {};
  if (id === undefined) return { status: seen.method === "DELETE" ? 204 : 202 };
  return {
    status: 200,
    headers: { "Content-Type": "application/json", "Mcp-Session-Id": "s1" },
    body: JSON.stringify({ jsonrpc: "2.0", id, result: result(seen) }),
  };
}

const SERVER = `
from fastmcp import Client, FastMCP
from fastmcp.client.transports import StreamableHttpTransport

mcp = FastMCP("near")

@mcp.tool
async def ask(url: str, tool: str = "add") -> str:
    transport = StreamableHttpTransport(url, headers={"X-Own": "1"}, auth="secret")
    said = []
    async def log(message):
        said.append(message.data)
    async with Client(transport, log_handler=log) as client:
        names = [tool.name for tool in await client.list_tools()]
        result = await client.call_tool(tool, {"a": 1})
    info = client.initialize_result
    return f"{names} {result.content[0].text} {said}"

@mcp.tool
async def refused(kind: str) -> str:
    from fastmcp.client import StdioTransport, SSETransport
    made = StdioTransport("uvx", ["server"]) if kind == "stdio" else SSETransport("https://a.example/sse")
    async with Client(made) as client:
        return "connected"

@mcp.tool
async def official(url: str) -> str:
    from mcp import ClientSession
    from mcp.client.streamable_http import streamablehttp_client
    async with streamablehttp_client(url, headers={"X-Own": "2"}) as (read, write, session_id):
        async with ClientSession(read, write) as session:
            info = await session.initialize()
            listed = await session.list_tools()
            return f"{info.serverInfo.name} {listed.tools[0].name} {session_id()}"

mcp.mount(FastMCP.as_proxy("https://far.example/mcp", name="proxy"), prefix="far")
mcp.run()
`;

async function load(): Promise<void> {
  serve(json);
  const loaded = await python.load({ "server.py": SERVER });
  assert(loaded.kind === "loaded", JSON.stringify(loaded));
}

Deno.test("a client asks a server over HTTP, with session, revision and token", async () => {
  await load();
  const seen = serve(json);
  assertEquals(await python.text("ask", { url: "https://a.example/mcp" }), `['add'] {"a":1} []`);
  const asked = seen.filter(({ url }) => url === "https://a.example/mcp");
  assertEquals(asked.map(({ method, message }) => message?.method ?? method), [
    "initialize",
    "notifications/initialized",
    "tools/list",
    "tools/call",
    "DELETE",
  ]);
  const { headers } = asked[2]!;
  assertEquals(headers["mcp-session-id"], "s1");
  assertEquals(headers["mcp-protocol-version"], "2025-06-18");
  assertEquals(headers["authorization"], "Bearer secret");
  assertEquals(headers["x-own"], "1");
  assertEquals(headers["accept"], "application/json, text/event-stream");
});

Deno.test("a client reads event streams and what comes before the answer", async () => {
  await load();
  serve((seen) => {
    if (seen.message?.id === undefined) return json(seen);
    const data = { level: "info", data: "far words" };
    const told = { jsonrpc: "2.0", method: "notifications/message", params: data };
    const answer = { jsonrpc: "2.0", id: seen.message.id, result: result(seen) };
    const events = [`id: 1\ndata:\n`, `data: ${JSON.stringify(told)}\n`];
    return {
      status: 200,
      headers: { "content-type": "text/event-stream; charset=utf-8" },
      body: [...events, `event: message\r\ndata: ${JSON.stringify(answer)}\r\n\r\n`].join("\n"),
    };
  });
  const text = await python.text("ask", { url: "https://a.example/mcp" });
  assertEquals(text, `['add'] {"a":1} ['far words', 'far words', 'far words']`);
});

Deno.test("a client follows redirects, and takes no token to another host", async () => {
  await load();
  const seen = serve((seen) => {
    const headers = { location: "/mcp/" };
    if (seen.url === "https://a.example/mcp") return { status: 307, headers };
    if (seen.url === "https://a.example/mcp/") {
      return { status: 308, headers: { location: "https://b.example/mcp" } };
    }
    return json(seen);
  });
  assertMatch(await python.text("ask", { url: "https://a.example/mcp" }), /^\['add'\]/);
  const { headers } = seen.find(({ url }) => url === "https://b.example/mcp")!;
  assertEquals([headers["authorization"], headers["x-own"]], [undefined, undefined]);
});

Deno.test("a client says what is unavailable, and what a server's failure was", async () => {
  await load();
  assertMatch(await python.text("refused", { kind: "stdio" }), /'uvx' cannot be started: .*HTTP/);
  assertMatch(await python.text("refused", { kind: "sse" }), /responses are not streamed/);
  const url = "https://a.example/mcp";
  assertMatch(await python.text("ask", { url, tool: "other" }), /^{"a":1}$/);
  serve(() => ({ status: 500, body: "no" }));
  assertMatch(await python.text("ask", { url }), /returned HTTP status 500/);
  serve((seen) => seen.message?.method === "tools/list" ? { status: 404 } : json(seen));
  assertMatch(await python.text("ask", { url }), /Session terminated/);
});

Deno.test("the official SDK's session works over HTTP, and a server in front of another", async () => {
  await load();
  const seen = serve(json);
  assertEquals(await python.text("official", { url: "https://a.example/mcp" }), "far add s1");
  const asked = seen.filter(({ url }) => url === "https://a.example/mcp");
  assertEquals(asked[0]!.headers["x-own"], "2");
  const listed = await python.request("tools/list");
  assert(listed.kind === "result");
  const names = (listed.result as { tools: { name: string }[] }).tools.map(({ name }) => name);
  assert(names.includes("far_add"), names.join());
  assertEquals(await python.text("far_add", { a: 2 }), `{"a":2}`);
});
