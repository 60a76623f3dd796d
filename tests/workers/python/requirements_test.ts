import { assertEquals, assertStringIncludes } from "@std/assert";
import choices from "../../fixtures/sdk_choices.json" with { type: "json" };
import { Interpreter } from "./pyodide.ts";

const python = await Interpreter.boot();
const CHOSEN = `
from berth_runtime import state
{name: line.version for name, line in state.session.sdks.items()}
`;

Deno.test("a session chooses the version of each SDK by lock, requirement and imports", async () => {
  for (const { about, files, expected } of choices) {
    // What a version does not have, it cannot import: the choice stands all the same.
    await python.load(files as unknown as Record<string, string>);
    const found = await python.run(CHOSEN);
    const of = (sdk: string) => [sdk, found[sdk]];
    assertEquals([about, Object.fromEntries(Object.keys(expected).map(of))], [about, expected]);
  }
});

Deno.test("the version says itself what it is", async () => {
  const source = `import importlib.metadata, fastmcp, mcp
from fastmcp import FastMCP
server = FastMCP("told")
@server.tool
def told() -> list[str]:
    version = importlib.metadata.version
    return [fastmcp.__version__, version("fastmcp"), version("fastmcp-slim"), version("mcp")]
`;
  const load = await python.load({ "server.py": source, "requirements.txt": "fastmcp==4.0.3\n" });
  assertEquals(load.kind === "loaded" && load.info.version, "4.2.3");
  assertEquals((await python.tool("told")).structuredContent.result, [
    "4.2.3",
    "4.2.3",
    "4.2.3",
    "2.3.0",
  ]);
});

Deno.test("what was resolved for a server decides, where it says so", async () => {
  const source = "from fastmcp import FastMCP\nmcp = FastMCP('told')\n";
  const load = await python.load({ "server.py": source }, {
    packages: { installed: [], own: {}, sdks: { fastmcp: "2.14.7", mcp: "1.30.0" } },
  });
  assertEquals(load.kind === "loaded" && load.info.version, "2.14.7");
});

Deno.test("a module of another version is missing, with what to do", async () => {
  const load = await python.load({
    "server.py": "from mcp.server.fastmcp import FastMCP\n",
    "requirements.txt": "mcp>=2\n",
  });
  assertEquals(load.kind, "raised");
  const message = load.kind === "raised" ? load.message : "";
  assertStringIncludes(message, "No module named 'mcp.server.fastmcp' (server.py, line 1: mcp 2");
  assertStringIncludes(message, "from mcp.server import MCPServer");
  const other = await python.load({
    "server.py": "from mcp.server.mcpserver import MCPServer\n",
    "requirements.txt": "mcp==1.9\n",
  });
  assertStringIncludes(
    other.kind === "raised" ? other.message : "",
    "mcp 1.30.0 does not have it, version 2 does",
  );
});

Deno.test("a module that not all versions have can be tried, as servers do", async () => {
  const source = `try:
    from mcp.server.fastmcp import FastMCP
except ImportError:
    from mcp.server import MCPServer as FastMCP
mcp = FastMCP("either")
@mcp.tool()
def kind() -> str: return type(mcp).__name__
`;
  await python.load({ "server.py": source, "requirements.txt": "mcp>=2\n" });
  assertEquals(await python.text("kind"), "MCPServer");
  await python.load({ "server.py": source, "requirements.txt": "mcp<2\n" });
  assertEquals(await python.text("kind"), "FastMCP");
});
