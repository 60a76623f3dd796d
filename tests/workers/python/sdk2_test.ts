import { assert, assertEquals } from "@std/assert";
import { Interpreter } from "./pyodide.ts";

const python = await Interpreter.boot();

async function load(source: string) {
  const loaded = await python.load({ "server.py": source });
  assert(loaded.kind === "loaded", JSON.stringify(loaded));
  await python.client({ sampling: {} });
  return loaded.info;
}

const LOW_LEVEL = `
import asyncio
from mcp import types
from mcp.server import Server, ServerRequestContext
from mcp.shared.exceptions import MCPError

async def list_tools(ctx: ServerRequestContext, params):
    cursor = params.cursor if params else None
    tool = types.Tool(
        name="add",
        description="Adds",
        input_schema={"type": "object", "properties": {"a": {"type": "integer"}}},
    )
    return types.ListToolsResult(tools=[tool], next_cursor=None if cursor else "more")

async def call_tool(ctx: ServerRequestContext, params):
    if params.name == "refused":
        raise MCPError(code=-7, message="refused", data={"why": "so"})
    await ctx.session.send_log_message("info", f"calling {params.name}")
    if ctx.meta and "progress_token" in ctx.meta:
        await ctx.session.send_progress_notification(ctx.meta["progress_token"], 1)
    text = types.TextContent(type="text", text=f"{params.name} {params.arguments}")
    return types.CallToolResult(content=[text], structured_content={"sum": 3}, is_error=False)

async def read(ctx, params):
    contents = types.TextResourceContents(uri=params.uri, text="t", mime_type="text/plain")
    return types.ReadResourceResult(contents=[contents])

async def subscribe(ctx, params):
    return types.EmptyResult()

async def complete(ctx, params):
    values = [params.argument.value + "!"]
    return types.CompleteResult(completion=types.Completion(values=values, has_more=False))

server = Server(
    "low", version="9.1", title="Low", instructions="Use it",
    on_list_tools=list_tools, on_call_tool=call_tool, on_read_resource=read,
    on_subscribe_resource=subscribe, on_completion=complete,
)

async def main():
    from mcp.server.stdio import stdio_server
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())

asyncio.run(main())
`;

Deno.test("a low-level server of SDK 2 is served by its handlers", async () => {
  const info = await load(LOW_LEVEL);
  assertEquals([info.name, info.version, info.instructions], ["low", "9.1", "Use it"]);
  const { tools, completions } = info.capabilities as Record<string, unknown>;
  assertEquals([tools, completions], [{ listChanged: false }, {}]);
  const result = async (method: string, params: unknown) => {
    const outcome = await python.request(method, params);
    if (outcome.kind === "error") return outcome;
    return outcome.result;
  };
  assertEquals(await result("tools/list", {}), {
    tools: [{
      name: "add",
      description: "Adds",
      inputSchema: { type: "object", properties: { a: { type: "integer" } } },
    }],
    nextCursor: "more",
  });
  assertEquals((await result("tools/list", { cursor: "more" })).nextCursor, undefined);
  python.events.length = 0;
  const call = { name: "add", arguments: { a: 1 }, _meta: { progressToken: "t" } };
  assertEquals(await result("tools/call", call), {
    content: [{ type: "text", text: "add {'a': 1}" }],
    structuredContent: { sum: 3 },
    isError: false,
  });
  assertEquals(python.events.map(({ method }) => method), [
    "notifications/message",
    "notifications/progress",
  ]);
  assertEquals(await result("tools/call", { name: "refused" }), {
    kind: "error",
    code: -7,
    message: "refused",
    data: { why: "so" },
  });
  assertEquals((await result("resources/read", { uri: "test://a" })).contents[0].text, "t");
  assertEquals(await result("resources/subscribe", { uri: "test://a" }), {});
  const ref = { type: "ref/prompt", name: "p" };
  const argument = { name: "a", value: "v" };
  assertEquals(await result("completion/complete", { ref, argument }), {
    completion: { values: ["v!"], hasMore: false },
  });
  assertEquals((await result("prompts/list", {})).code, -32601);
});

Deno.test("MCPServer of SDK 2 is FastMCP under another name", async () => {
  const info = await load(`
from mcp.server import MCPServer
from mcp.server.mcpserver import Context, Image
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.prompts.base import UserMessage
mcp = MCPServer("two", title="Two", description="Second", instructions="Use it", version="2.1")

@mcp.tool()
async def about(ctx: Context) -> str:
    await ctx.info("hello")
    return f"{ctx.request_id} {ctx.mcp_server.name}"

@mcp.tool()
def fail() -> str:
    raise ToolError("told")

if __name__ == "__main__":
    mcp.run(transport="streamable-http", host="0.0.0.0", port=8000, json_response=True)
`);
  assertEquals([info.name, info.version, info.instructions], ["two", "2.1", "Use it"]);
  assertEquals(await python.text("about"), "1 two");
  assertEquals(await python.text("fail"), "Error executing tool fail: told");
});

Deno.test("handlers registered below FastMCP come before its own", async () => {
  await load(`
import mcp.types as types
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("both")

@mcp.tool()
def own() -> str:
    return "own"

@mcp._mcp_server.list_tools()
async def listed():
    return [types.Tool(name="below", inputSchema={"type": "object"})]

mcp._mcp_server.version = "3.2.1"

async def prompts(request):
    prompt = types.Prompt(name=f"{type(request).__name__}")
    return types.ServerResult(types.ListPromptsResult(prompts=[prompt]))

mcp._mcp_server.request_handlers[types.ListPromptsRequest] = prompts
mcp.run()
`);
  const tools = await python.request("tools/list");
  assert(tools.kind === "result");
  assertEquals(tools.result.tools[0].name, "below");
  assertEquals(await python.text("own"), "own");
  const prompts = await python.request("prompts/list");
  assert(prompts.kind === "result");
  assertEquals(prompts.result.prompts[0].name, "ListPromptsRequest");
});
