import { assertEquals, assertMatch } from "@std/assert";
import { Interpreter } from "./pyodide.ts";

const python = await Interpreter.boot();

async function load(source: string): Promise<void> {
  const load = await python.load({ "server.py": source });
  assertEquals(load.kind, "loaded", JSON.stringify(load));
}

// deno-lint-ignore no-explicit-any -- results have many shapes
async function answer(method: string, params: unknown = {}): Promise<any> {
  const outcome = await python.request(method, params);
  assertEquals(outcome.kind, "result", JSON.stringify(outcome));
  return (outcome as { result: unknown }).result;
}

Deno.test("marked methods of an object are its tools, resources and prompts, under its prefix", async () => {
  await load(`
from fastmcp import FastMCP
from fastmcp.contrib.mcp_mixin import MCPMixin, mcp_prompt, mcp_resource, mcp_tool

class Greeter(MCPMixin):
    def __init__(self, name):
        self.name = name
    @mcp_tool(annotations={"readOnlyHint": True})
    def greet(self, word: str) -> str:
        """Greets."""
        return f"{word} {self.name}"
    @mcp_tool(name="other", description="Another")
    async def second(self) -> str: return self.name
    @mcp_tool(enabled=False)
    def hidden(self) -> str: return ""
    @mcp_resource("data://me", title="Me")
    def me(self): return self.name
    @mcp_resource("data://of/{key}")
    def of(self, key): return self.name + key
    @mcp_prompt(description="Asks")
    def ask(self): return f"ask {self.name}"

mcp = FastMCP("mixed")
Greeter("Ann").register_all(mcp, prefix="a")
Greeter("Bob").register_tools(mcp_server=mcp, prefix="b", separator="-")
`);
  const { tools } = await answer("tools/list");
  assertEquals(tools.map(({ name }: { name: string }) => name).sort(), [
    "a_greet",
    "a_other",
    "b-greet",
    "b-other",
  ]);
  const greet = tools.find(({ name }: { name: string }) => name === "a_greet");
  assertEquals(greet.description, "Greets.");
  assertEquals(greet.annotations, { readOnlyHint: true });
  assertEquals(await python.text("b-greet", { word: "hi" }), "hi Bob");
  const { resources } = await answer("resources/list");
  assertEquals(resources.map(({ uri }: { uri: string }) => uri), ["a+data://me"]);
  const { contents } = await answer("resources/read", { uri: "a+data://of/x" });
  assertEquals(contents[0].text, "Annx");
  const { messages } = await answer("prompts/get", { name: "a_ask" });
  assertEquals(messages[0].content.text, "ask Ann");
});

Deno.test("the bulk caller calls the tools of its server, and not itself", async () => {
  await load(`
from fastmcp import FastMCP
from fastmcp.contrib.bulk_tool_caller import BulkToolCaller

mcp = FastMCP("bulk")
@mcp.tool
def double(n: int) -> int: return 2 * n

BulkToolCaller().register_tools(mcp)
`);
  const many = await python.tool("call_tool_bulk", {
    tool: "double",
    tool_arguments: [{ n: 2 }, { n: "x" }, { n: 3 }],
  });
  const results = many.structuredContent.result;
  assertEquals(results.map(({ isError }: { isError: boolean }) => isError), [false, true, false]);
  assertEquals(results[2].content[0].text, "6");
  assertEquals(results[0].tool, "double");
  const stopped = await python.tool("call_tools_bulk", {
    tool_calls: [
      { tool: "call_tools_bulk", arguments: {} },
      { tool: "double", arguments: { n: 1 } },
    ],
    continue_on_error: false,
  });
  assertEquals(stopped.structuredContent.result.length, 1);
  assertMatch(stopped.structuredContent.result[0].content[0].text, /cannot call itself/);
});

Deno.test("parts of a server and of what is mounted in it are shown and hidden by name", async () => {
  await load(`
from fastmcp import FastMCP
from fastmcp.contrib.component_manager import ComponentService, set_up_component_manager
from fastmcp.exceptions import NotFoundError

mcp, inner = FastMCP("outer"), FastMCP("inner")
@inner.tool
def shown() -> str: return ""
@inner.resource("data://x")
def x() -> str: return ""
mcp.mount(inner, prefix="in")
set_up_component_manager(server=mcp, required_scopes=["write"])
service = ComponentService(mcp)

@mcp.tool
async def hide() -> list[str]:
    hidden = [await service._disable_tool("in_shown"), await service._disable_resource("data://in/x")]
    try:
        await service._enable_prompt("none")
    except NotFoundError as error:
        return [str(error), *(item.name for item in hidden)]
`);
  const listed = async () => {
    const { tools } = await answer("tools/list");
    const { resources } = await answer("resources/list");
    return [tools.length, resources.length];
  };
  assertEquals(await listed(), [2, 1]);
  const { structuredContent } = await python.tool("hide");
  assertEquals(structuredContent.result, ["Unknown prompt: none", "shown", "x"]);
  assertEquals(await listed(), [1, 0]);
});

Deno.test("a missing dependency of a module is an error on use, not on import", async () => {
  await load(`
from fastmcp import FastMCP
from fastmcp.client.sampling.handlers.google_genai import GoogleGenaiSamplingHandler
from fastmcp.experimental.server.openapi import FastMCPOpenAPI
from fastmcp.apps.approval import Approval
import fastmcp.contrib.mcp_mixin.example, mcp.cli.cli
server = FastMCP("late")
@server.tool
def use() -> list[str]:
    told = []
    for act in (lambda: GoogleGenaiSamplingHandler()("x"), lambda: mcp.cli.cli.run("server.py")):
        try:
            act()
        except RuntimeError as error:
            told.append(str(error))
    return told
`);
  const { structuredContent } = await python.tool("use");
  for (const told of structuredContent.result) assertMatch(told, /is not available: /);
  assertEquals(structuredContent.result.length, 2);
});
