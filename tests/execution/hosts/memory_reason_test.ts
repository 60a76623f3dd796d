/** What a client hears of a server that meets its memory limit: the limit, and what to do. */
import { assertEquals, assertMatch } from "@std/assert";
import { openTestHosts, sessionInput } from "../../helpers/interpreter.ts";

const SAYS =
  /out of memory: a session has 64 MiB \(SESSION_MEMORY_MB\)\. Process less data at once/;

const FILL = "    held = []\n    while True: held.append(bytearray(1 << 20))\n";
const ONE = "    return str(len(bytearray(1 << 30)))\n";

/** Servers by SDK: tools `fill` and `one`, a resource and a prompt that fill memory. */
function highLevel(head: string): string {
  return `${head}
@mcp.tool()
def fill() -> str:
${FILL}
@mcp.tool()
def one() -> str:
${ONE}
@mcp.tool()
async def later() -> str:
${FILL}
@mcp.resource("memory://all")
def everything() -> str:
${FILL}
@mcp.prompt()
def ask() -> str:
${FILL}
@mcp.tool()
def fine() -> str:
    return "fine"
mcp.run()
`;
}

const LOW = `
import asyncio
from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
server = Server("low")
@server.list_tools()
async def tools():
    return [types.Tool(name=n, inputSchema={"type": "object"}) for n in ("fill", "one", "later", "fine")]
@server.call_tool()
async def call(name, arguments):
    if name == "fine":
        return [types.TextContent(type="text", text="fine")]
${FILL}
@server.read_resource()
async def read(uri):
${FILL}
@server.get_prompt()
async def prompt(name, arguments):
${FILL}
async def main():
    async with stdio_server() as (r, w):
        await server.run(r, w, server.create_initialization_options())
asyncio.run(main())
`;

const SERVERS: Record<string, string> = {
  "mcp 1": highLevel('from mcp.server.fastmcp import FastMCP\nmcp = FastMCP("m")'),
  "mcp 2": highLevel('from mcp.server.mcpserver import MCPServer\nmcp = MCPServer("m")'),
  "fastmcp": highLevel('from fastmcp import FastMCP\nmcp = FastMCP("m")'),
  "fastmcp that hides details": highLevel(
    'from fastmcp import FastMCP\nmcp = FastMCP("m", mask_error_details=True)',
  ),
  "low level": LOW,
};

Deno.test("a tool, a resource and a prompt that meet the memory limit say so, and what to do", async (t) => {
  await using hosts = await openTestHosts({ memoryMb: 64 });
  for (const [name, source] of Object.entries(SERVERS)) {
    await t.step(name, async () => {
      const session = await hosts.open(sessionInput(source));
      assertEquals(session.load.kind, "loaded", JSON.stringify(session.load));
      const ask = async (method: string, params: Record<string, unknown>) =>
        JSON.stringify(
          await session.request(method, params, { deadlineMs: 600_000, requestId: method }),
        );
      for (const tool of ["fill", "one", "later"]) {
        assertMatch(await ask("tools/call", { name: tool, arguments: {} }), SAYS);
      }
      assertMatch(await ask("resources/read", { uri: "memory://all" }), SAYS);
      assertMatch(await ask("prompts/get", { name: "ask", arguments: {} }), SAYS);
      assertMatch(await ask("tools/call", { name: "fine", arguments: {} }), /"fine"/);
      await session.close();
    });
  }
});

Deno.test("an entrypoint that meets the memory limit says so", async () => {
  await using hosts = await openTestHosts({ memoryMb: 64 });
  const session = await hosts.open(
    sessionInput("held = []\nwhile True: held.append(bytearray(1 << 20))\n"),
  );
  if (session.load.kind !== "raised") throw new Error(session.load.kind);
  assertMatch(session.load.message, SAYS);
  await session.close();
});

/** Tools that run out of memory where no MemoryError is there to tell of it. */
const HIDDEN = `
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("m")
@mcp.tool()
def added() -> str:
    text = "a"
    while True: text = text + text
@mcp.tool()
def grown() -> str:
    text = "a"
    while True: text += text
@mcp.tool()
def told_otherwise() -> str:
    try:
        return str(len(bytearray(1 << 29)))
    except MemoryError as error:
        raise RuntimeError("could not load") from error
@mcp.tool()
def told_nothing() -> str:
    try:
        return str(len(bytearray(1 << 29)))
    except Exception as error:
        raise RuntimeError(str(error))
@mcp.tool()
def large_result() -> str:
    return "ab" * (12 << 20)
@mcp.tool()
def small_failure() -> str:
    raise ValueError("no such thing")
mcp.run()
`;

Deno.test("what fails for want of memory says so, whatever else it says", async (t) => {
  await using hosts = await openTestHosts({ memoryMb: 64 });
  for (const tool of ["added", "grown", "told_otherwise", "told_nothing", "large_result"]) {
    await t.step(tool, async () => {
      const session = await hosts.open(sessionInput(HIDDEN));
      const ask = async (name: string) => {
        const params = { name, arguments: {} };
        const sent = session.request("tools/call", params, {
          deadlineMs: 600_000,
          requestId: name,
        });
        return JSON.stringify(await sent);
      };
      assertMatch(await ask("small_failure"), /no such thing"/);
      assertMatch(await ask(tool), /64 MiB \(SESSION_MEMORY_MB\)/);
      await session.close();
    });
  }
});
