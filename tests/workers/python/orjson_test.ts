import { assert, assertEquals } from "@std/assert";
import { Interpreter } from "./pyodide.ts";

const read = (name: string) =>
  Deno.readTextFile(new URL(`../../fixtures/${name}`, import.meta.url));

Deno.test("the stand-in for orjson answers as orjson does", async () => {
  const python = await Interpreter.boot();
  const loaded = await python.load({
    "orjson_facts.py": await read("orjson_facts.py"),
    "server.py": "import orjson_facts\nfrom mcp.server.fastmcp import FastMCP\n" +
      "mcp = FastMCP('facts')\nmcp.tool()(orjson_facts.table)\n",
  });
  assert(loaded.kind === "loaded", JSON.stringify(loaded));
  const ours = JSON.parse(await python.text("table"));
  assertEquals(ours, JSON.parse(await read("orjson_facts.json")));
});
