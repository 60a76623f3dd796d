import { assert } from "@std/assert";
import { Interpreter } from "./pyodide.ts";

/** What the function `table` of a Python module, which returns JSON text, gives in Berth. */
export async function factsOf(module: URL): Promise<Record<string, unknown>> {
  const python = await Interpreter.boot();
  const loaded = await python.load({
    "facts.py": await Deno.readTextFile(module),
    "server.py": "import facts\nfrom mcp.server.fastmcp import FastMCP\n" +
      "mcp = FastMCP('facts')\nmcp.tool()(facts.table)\n",
  });
  assert(loaded.kind === "loaded", JSON.stringify(loaded));
  return JSON.parse(await python.text("table"));
}
