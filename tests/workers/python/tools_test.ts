import { assertEquals, assertStringIncludes } from "@std/assert";
import { Interpreter } from "./pyodide.ts";

const python = await Interpreter.boot();

const ADDER = `
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("adder", instructions="Adds")

@mcp.tool()
def add(a: int, b: int = 2) -> int:
    """Add two numbers."""
    print("adding", a, b)
    return a + b

if __name__ == "__main__":
    mcp.run(transport="stdio")
`;

Deno.test("load() runs the entrypoint as __main__ and describes its server", async () => {
  const load = await python.load({ "server.py": ADDER }, { profile: "restricted" });
  if (load.kind !== "loaded") throw new Error(JSON.stringify(load));
  assertEquals(load.info.name, "adder");
  assertEquals(load.info.instructions, "Adds");
});

Deno.test("request() lists tools with the schemas of their signatures", async () => {
  await python.load({ "server.py": ADDER });
  const outcome = await python.request("tools/list");
  assertEquals(outcome, {
    kind: "result",
    result: {
      tools: [{
        name: "add",
        description: "Add two numbers.",
        inputSchema: {
          properties: {
            a: { title: "A", type: "integer" },
            b: { default: 2, title: "B", type: "integer" },
          },
          required: ["a"],
          title: "addArguments",
          type: "object",
        },
        outputSchema: {
          properties: { result: { title: "Result", type: "integer" } },
          required: ["result"],
          title: "addOutput",
          type: "object",
        },
      }],
    },
  });
});

Deno.test("request() converts arguments and keeps output out of results", async () => {
  await python.load({ "server.py": ADDER });
  assertEquals(await python.tool("add", { a: "3" }), {
    content: [{ type: "text", text: "5" }],
    structuredContent: { result: 5 },
    isError: false,
  });
  assertEquals(python.events, [
    { type: "log", level: "info", logger: "stdout", text: "adding 3 2", request_id: 1 },
  ]);
});

Deno.test("request() gives bad arguments as an error result and unknown tools as an error", async () => {
  await python.load({ "server.py": ADDER });
  const result = await python.tool("add", { a: "x" });
  assertEquals(result.isError, true);
  assertStringIncludes(
    result.content[0].text,
    "Error executing tool add: 1 validation error for addArguments\na\n",
  );
  assertEquals(await python.request("tools/call", { name: "nope" }), {
    kind: "error",
    code: -32602,
    message: "Unknown tool: nope",
  });
});
