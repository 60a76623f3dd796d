import { assertEquals } from "@std/assert";
import { Interpreter } from "./pyodide.ts";

const python = await Interpreter.boot();

const SERVER = `
import asyncio
import mcp.types as types
from mcp.server import NotificationOptions, Server
from mcp.server.models import InitializationOptions
import mcp.server.stdio
server = Server("low")
@server.list_tools()
async def tools() -> list[types.Tool]:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    return [types.Tool(name="add", description="Add", inputSchema=schema)]
@server.call_tool()
async def call(name: str, arguments: dict) -> list[types.TextContent]:
    if name != "add":
        raise ValueError(f"Unknown tool: {name}")
    await server.request_context.session.send_log_message("info", "called")
    return [types.TextContent(type="text", text=str(arguments["a"] + 1))]
@server.list_resources()
async def resources():
    return [types.Resource(uri="note://one", name="one")]
@server.read_resource()
async def read(uri) -> str:
    return f"{uri.scheme} {uri.host} {uri}"
@server.list_prompts()
async def prompts():
    return [types.Prompt(name="p", arguments=[types.PromptArgument(name="x", required=True)])]
@server.get_prompt()
async def prompt(name, arguments):
    content = types.TextContent(type="text", text=arguments["x"])
    return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=content)])
async def main():
    async with mcp.server.stdio.stdio_server() as (read_stream, write_stream):
        await server.run(read_stream, write_stream, InitializationOptions(
            server_name="low", server_version="0.1.0",
            capabilities=server.get_capabilities(NotificationOptions(), {})))
if __name__ == "__main__":
    asyncio.run(main())
`;

Deno.test("a low-level server is served as it is on CPython", async () => {
  const load = await python.load({ "server.py": SERVER });
  if (load.kind !== "loaded") throw new Error(JSON.stringify(load));
  assertEquals(Object.keys(load.info.capabilities).sort(), [
    "experimental",
    "logging",
    "prompts",
    "resources",
    "tools",
  ]);
  const ask = async (method: string, params: unknown = {}) => {
    const outcome = await python.request(method, params);
    return outcome.kind === "result" ? outcome.result : [outcome.code, outcome.message];
  };
  assertEquals((await ask("tools/list")).tools[0].inputSchema.required, ["a"]);
  assertEquals(await python.tool("add", { a: 1 }), {
    content: [{ type: "text", text: "2" }],
    isError: false,
  });
  assertEquals(python.events[0]?.method, "notifications/message");
  assertEquals(
    await python.text("add", { a: "x" }),
    "Input validation error: 'x' is not of type 'integer'",
  );
  assertEquals(
    await python.text("add", {}),
    "Input validation error: 'a' is a required property",
  );
  assertEquals(await python.text("nope"), "Unknown tool: nope");
  assertEquals(await ask("resources/list"), { resources: [{ name: "one", uri: "note://one" }] });
  assertEquals(await ask("resources/read", { uri: "note://one" }), {
    contents: [{ uri: "note://one", mimeType: "text/plain", text: "note one note://one" }],
  });
  assertEquals((await ask("prompts/list")).prompts, [
    { name: "p", arguments: [{ name: "x", required: true }] },
  ]);
  assertEquals(
    (await ask("prompts/get", { name: "p", arguments: { x: "hi" } })).messages[0].content.text,
    "hi",
  );
  assertEquals(await ask("completion/complete"), [-32601, "Method not found"]);
});
