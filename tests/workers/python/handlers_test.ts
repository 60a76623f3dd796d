import { assertEquals } from "@std/assert";
import { Interpreter } from "./pyodide.ts";

const python = await Interpreter.boot();

async function load(source: string): Promise<void> {
  const outcome = await python.load({ "server.py": source });
  if (outcome.kind !== "loaded") throw new Error(JSON.stringify(outcome));
}

/** The result of a request, or the error as `[code, message]`. */
// deno-lint-ignore no-explicit-any -- results have many shapes
async function ask(method: string, params: unknown = {}): Promise<any> {
  const outcome = await python.request(method, params);
  return outcome.kind === "result" ? outcome.result : [outcome.code, outcome.message];
}

Deno.test("Context sends logs and progress, awaited or not", async () => {
  await load(`
from mcp.server.fastmcp import FastMCP, Context
mcp = FastMCP("context")
@mcp.tool()
async def awaited(ctx: Context) -> str:
    await ctx.debug("one")
    await ctx.report_progress(1, 2, "half")
    return f"{ctx.request_id} {ctx.fastmcp.name}"
@mcp.tool()
def plain(context: "Context | None" = None) -> str:
    context.warning("two", logger_name="me")
    context.report_progress(2)
    return str(context.client_id)
`);
  const tools = (await ask("tools/list")).tools;
  assertEquals(
    tools.map((tool: { inputSchema: { properties: object } }) =>
      Object.keys(tool.inputSchema.properties)
    ),
    [[], []],
  );
  const params = (name: string) => ({ name, arguments: {}, _meta: { progressToken: "p" } });
  assertEquals((await ask("tools/call", params("awaited"))).content[0].text, "1 context");
  assertEquals((await ask("tools/call", params("plain"))).content[0].text, "None");
  assertEquals(python.events.map(({ method, params }) => [method, params]), [
    ["notifications/message", { level: "debug", data: "one" }],
    ["notifications/progress", { progressToken: "p", progress: 1, total: 2, message: "half" }],
    ["notifications/message", { level: "warning", data: "two", logger: "me" }],
    ["notifications/progress", { progressToken: "p", progress: 2 }],
  ]);
  python.events.length = 0;
  await ask("tools/call", { name: "plain" });
  assertEquals(python.events.length, 1); // no token, no progress
});

Deno.test("resources and templates are listed and read", async () => {
  await load(`
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("resources")
@mcp.resource("test://text")
def text() -> str:
    """Static text."""
    return "hello"
@mcp.resource("test://bin", mime_type="image/png", name="bin", title="Bin")
def binary() -> bytes: return b"abc"
@mcp.resource("test://item/{id}/data", mime_type="application/json")
async def item(id: int) -> dict: return {"id": id}
@mcp.resource("test://boom")
def boom(): raise ValueError("boom")
`);
  const { resources } = await ask("resources/list");
  assertEquals(resources.slice(0, 2), [
    { uri: "test://text", name: "text", mimeType: "text/plain", description: "Static text." },
    { uri: "test://bin", name: "bin", mimeType: "image/png", title: "Bin", description: "" },
  ]);
  assertEquals(await ask("resources/templates/list"), {
    resourceTemplates: [{
      uriTemplate: "test://item/{id}/data",
      name: "item",
      mimeType: "application/json",
      description: "",
    }],
  });
  const read = async (uri: string) => {
    const result = await ask("resources/read", { uri });
    return Array.isArray(result) ? result : result.contents;
  };
  assertEquals(await read("test://text"), [
    { uri: "test://text", mimeType: "text/plain", text: "hello" },
  ]);
  assertEquals(await read("test://bin"), [
    { uri: "test://bin", mimeType: "image/png", blob: "YWJj" },
  ]);
  assertEquals(await read("test://item/5/data"), [
    { uri: "test://item/5/data", mimeType: "application/json", text: '{\n  "id": 5\n}' },
  ]);
  assertEquals(await read("test://boom"), [0, "Error reading resource test://boom: boom"]);
  assertEquals(await read("test://nope"), [-32002, "Unknown resource: test://nope"]);
  assertEquals((await read("no address"))[0], -32602);
});

Deno.test("a resource whose parameters disagree with its address is refused", async () => {
  const outcome = await python.load({
    "server.py": `
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("r")
@mcp.resource("test://{a}")
def item(b: str) -> str: return b
`,
  });
  if (outcome.kind !== "raised") throw new Error(outcome.kind);
  assertEquals(
    outcome.message,
    "ValueError: Mismatch between URI parameters {'a'} and function parameters {'b'}",
  );
});

Deno.test("prompts are listed and rendered", async () => {
  await load(`
from typing import Annotated
from mcp.server.fastmcp import FastMCP
from mcp.server.fastmcp.prompts import base
from pydantic import Field
mcp = FastMCP("prompts")
@mcp.prompt()
def ask(topic: Annotated[str, Field(description="What about")], tone: str = "calm") -> str:
    """Ask something."""
    return f"{topic} {tone}"
@mcp.prompt(title="Talk")
def talk() -> list[base.Message]:
    return [base.UserMessage("hi"), base.AssistantMessage("ho")]
@mcp.prompt()
def boom(): raise ValueError("boom")
`);
  assertEquals((await ask("prompts/list")).prompts.slice(0, 2), [
    {
      name: "ask",
      description: "Ask something.",
      arguments: [
        { name: "topic", description: "What about", required: true },
        { name: "tone", required: false },
      ],
    },
    { name: "talk", title: "Talk", description: "", arguments: [] },
  ]);
  assertEquals(await ask("prompts/get", { name: "ask", arguments: { topic: "rain" } }), {
    description: "Ask something.",
    messages: [{ role: "user", content: { type: "text", text: "rain calm" } }],
  });
  assertEquals((await ask("prompts/get", { name: "talk" })).messages, [
    { role: "user", content: { type: "text", text: "hi" } },
    { role: "assistant", content: { type: "text", text: "ho" } },
  ]);
  assertEquals(await ask("prompts/get", { name: "ask" }), [
    -32602,
    "Missing required arguments: {'topic'}",
  ]);
  assertEquals(await ask("prompts/get", { name: "nope" }), [-32602, "Unknown prompt: nope"]);
  assertEquals(await ask("prompts/get", { name: "boom" }), [
    0,
    "Error rendering prompt boom: boom",
  ]);
});

Deno.test("completion requests reach the handler", async () => {
  await load(`
from mcp.server.fastmcp import FastMCP
from mcp.types import Completion, PromptReference
mcp = FastMCP("completion")
@mcp.completion()
async def complete(ref, argument, context):
    if isinstance(ref, PromptReference):
        return Completion(values=[f"{argument.value}!"], hasMore=False)
`);
  const argument = { name: "a", value: "x" };
  assertEquals(
    await ask("completion/complete", { ref: { type: "ref/prompt", name: "p" }, argument }),
    {
      completion: { values: ["x!"], hasMore: false },
    },
  );
  assertEquals((await ask("completion/complete", { ref: {}, argument }))[0], -32602);
});

Deno.test("fastmcp servers can be mounted and tools injected with what they need", async () => {
  await load(`# /// script
# dependencies = ["fastmcp<3"]
# ///
from fastmcp import FastMCP, Context
from fastmcp.dependencies import CurrentContext, Depends
from fastmcp.server.dependencies import get_context
main, sub = FastMCP("main"), FastMCP("sub")
def settings(): return {"unit": "C"}
@sub.tool
def injected(x: int, ctx: Context = CurrentContext(), s: dict = Depends(settings)) -> str:
    ctx.set_state("seen", True)
    return f"{x} {s['unit']} {get_context().get_state('seen')}"
@sub.resource("data://{key*}")
def data(key: str) -> str: return key
main.mount(sub, prefix="weather")
main.run(transport="http", port=9000)
`);
  const [tool] = (await ask("tools/list")).tools;
  assertEquals(tool.name, "weather_injected");
  assertEquals(Object.keys(tool.inputSchema.properties), ["x"]);
  assertEquals(await python.text("weather_injected", { x: 1 }), "1 C True");
  const read = await ask("resources/read", { uri: "data://weather/a/b" });
  assertEquals(read.contents[0].text, "a/b");
});

Deno.test("a call that is interrupted ends with an error, the next one works", async () => {
  await load(`
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("spin")
@mcp.tool()
def spin() -> str:
    print("spinning")
    while True: pass
    return "spun"
@mcp.tool()
def fine() -> str: return "fine"
`);
  const flag = new Uint8Array(new SharedArrayBuffer(1));
  python.pyodide.setInterruptBuffer(flag);
  python.onEvent = () => flag[0] = 2;
  assertEquals(await ask("tools/call", { name: "spin" }), [-32603, "The call was interrupted"]);
  python.onEvent = () => {};
  assertEquals(await python.text("fine"), "fine");
});
