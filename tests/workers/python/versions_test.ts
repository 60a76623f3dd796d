import { assertEquals, assertStringIncludes } from "@std/assert";
import { Interpreter } from "./pyodide.ts";

const python = await Interpreter.boot();

async function load(source: string, requirement: string) {
  const files = { "server.py": source, "requirements.txt": `${requirement}\n` };
  const load = await python.load(files);
  assertEquals(load.kind, "loaded", JSON.stringify(load));
}

const DECORATED = `from fastmcp import FastMCP
mcp = FastMCP("decorated")
@mcp.tool
def double(x: int) -> int:
    return 2 * x
@mcp.resource("data://one")
def one() -> str:
    return "one"
@mcp.prompt
def hello(name: str) -> str:
    return f"Hello {name}"
@mcp.tool
def kinds() -> list[str]:
    return [type(item).__name__ for item in (double, one, hello)]
`;

Deno.test("FastMCP's decorators leave functions from version 3 on, and what was made before", async () => {
  for (
    const [requirement, kinds] of [
      ["fastmcp==2.14.*", ["FunctionTool", "FunctionResource", "FunctionPrompt"]],
      ["fastmcp==3.*", ["function", "function", "function"]],
      ["fastmcp==4.*", ["function", "function", "function"]],
    ] as const
  ) {
    await load(DECORATED, requirement);
    assertEquals((await python.tool("kinds")).structuredContent.result, kinds);
    assertEquals(await python.text("double", { x: 2 }), "4");
  }
});

const STATE = `from fastmcp import Context, FastMCP
import inspect
mcp = FastMCP("state")
@mcp.tool
async def count(ctx: Context) -> str:
    found = ctx.get_state("count")
    found = (await found if inspect.isawaitable(found) else found) or 0
    kept = ctx.set_state("count", found + 1)
    if inspect.isawaitable(kept): await kept
    return str(found)
`;

Deno.test("what a FastMCP context keeps lasts for a request, and from version 3 on for the session", async () => {
  await load(STATE, "fastmcp<3");
  assertEquals([await python.text("count"), await python.text("count")], ["0", "0"]);
  await load(STATE, "fastmcp>=3");
  assertEquals([await python.text("count"), await python.text("count")], ["0", "1"]);
});

Deno.test("the official SDK's servers take FastMCP's context for an object that a caller gives", async () => {
  const source = (module: string, name: string) =>
    `from fastmcp import Context
from ${module} import ${name}
mcp = ${name}("mixed")
@mcp.tool()
async def given(q: str, ctx: Context = None) -> str:
    return f"{q} {type(ctx).__name__}"
mcp.run()
`;
  for (
    const [requirement, module, name] of [
      ["fastmcp<3", "mcp.server.fastmcp", "FastMCP"],
      ["fastmcp==3.*", "mcp.server.fastmcp", "FastMCP"],
      ["fastmcp>=4", "mcp.server", "MCPServer"],
    ] as const
  ) {
    await load(source(module, name), requirement);
    const outcome = await python.request("tools/list");
    const [tool] = outcome.kind === "result" ? outcome.result.tools : [];
    const { properties, required, $defs } = tool.inputSchema;
    assertEquals([properties.ctx, required], [{ $ref: "#/$defs/Context", default: null }, ["q"]]);
    assertEquals([$defs.Context.type, $defs.Context.properties], ["object", {}]);
    assertEquals(await python.text("given", { q: "a" }), "a NoneType");
    assertEquals(await python.text("given", { q: "a", ctx: {} }), "a Context");
  }
});

Deno.test("a server's settings can be read and set, as those of the official SDK", async () => {
  await load(
    `from mcp.server.fastmcp import FastMCP
mcp = FastMCP("set", port=9000)
mcp.settings.host = "0.0.0.0"
mcp.settings.transport_security.enable_dns_rebinding_protection = False
mcp.settings.transport_security.allowed_hosts += ["example.com"]
@mcp.tool()
def shown() -> list[str]: return [str(mcp.settings.port), *mcp.settings.model_dump()]
mcp.run(transport="streamable-http")
`,
    "mcp<2",
  );
  const { result } = (await python.tool("shown")).structuredContent as { result: string[] };
  // As `Settings.model_fields` of mcp 1 has them.
  assertEquals(result, [
    ...["9000", "debug", "log_level", "host", "port", "mount_path", "sse_path", "message_path"],
    ...["streamable_http_path", "json_response", "stateless_http", "max_request_body_size"],
    ...["warn_on_duplicate_resources", "warn_on_duplicate_tools", "warn_on_duplicate_prompts"],
    ...["dependencies", "lifespan", "auth", "transport_security"],
  ]);
});

Deno.test("servers are mounted under a namespace, single tools under names of their own", async () => {
  await load(
    `from fastmcp import FastMCP
from fastmcp.server import create_proxy
from fastmcp.server.lifespan import lifespan
inner = FastMCP("inner")
@inner.tool
def one() -> str: return "one"
@inner.tool
def two() -> str: return "two"
@lifespan
async def first(server):
    yield {"a": 1}
@lifespan
async def second(server):
    yield {"b": 2}
mcp = FastMCP("outer", lifespan=first | second)
mcp.mount(inner, namespace="in", tool_names={"two": "other"})
mcp.mount(create_proxy(inner), namespace="far")
@mcp.tool
def given() -> dict: return mcp._lifespan_value
@mcp.completion
def complete(ref, argument, context):
    return [argument.value + "!"]
mcp.run()
`,
    "fastmcp>=4",
  );
  const outcome = await python.request("tools/list");
  const names = outcome.kind === "result"
    ? outcome.result.tools.map((tool: { name: string }) => tool.name)
    : outcome;
  assertEquals(names.toSorted(), ["far_one", "far_two", "given", "in_one", "other"]);
  assertEquals([await python.text("other"), await python.text("far_one")], ["two", "one"]);
  assertEquals((await python.tool("given")).structuredContent, { a: 1, b: 2 });
  const completed = await python.request("completion/complete", {
    ref: { type: "ref/prompt", name: "x" },
    argument: { name: "y", value: "z" },
  });
  assertEquals(completed.kind === "result" && completed.result.completion.values, ["z!"]);
});

Deno.test("the protocol's types are dumped with the names that their version gives them", async () => {
  const source = `import json
from mcp.server.lowlevel import Server
from mcp.types import TextContent, Tool
mcp = Server("types")
@mcp.call_tool()
async def call(name, arguments):
    tool = Tool(name="t", inputSchema={"type": "object"})
    told = [tool.model_dump(exclude_none=True), tool.model_dump(exclude_none=True, by_alias=True)]
    return [TextContent(type="text", text=json.dumps([told, tool.input_schema]))]
`;
  for (
    const [requirement, key] of [["mcp<2", "inputSchema"], ["mcp>=2", "input_schema"]] as const
  ) {
    await load(source, requirement);
    const schema = { type: "object" };
    const [told, same] = JSON.parse(await python.text("call"));
    assertEquals(told, [{ name: "t", [key]: schema }, { name: "t", inputSchema: schema }]);
    assertEquals(same, schema);
  }
});

Deno.test("FastMCP 4 gives every tool a title, and refuses numbers that JSON lacks", async () => {
  await load(
    `from fastmcp import FastMCP
mcp = FastMCP("four")
@mcp.tool
def what_is_it() -> float: return float("inf")
`,
    "fastmcp==4.1.0",
  );
  const outcome = await python.request("tools/list");
  assertEquals(outcome.kind === "result" && outcome.result.tools[0].title, "What Is It");
  assertStringIncludes(await python.text("what_is_it"), "non-finite float (inf) at $");
});
