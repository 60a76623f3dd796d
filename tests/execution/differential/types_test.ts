import { assert, assertEquals } from "@std/assert";
import { Interpreter } from "../../workers/python/pyodide.ts";

type Facts = Record<string, unknown>;

const read = (name: string) => Deno.readTextFile(new URL(name, import.meta.url));

Deno.test("mcp.types has every name, field and constant that the SDK exports", async () => {
  const python = await Interpreter.boot();
  const loaded = await python.load({
    "types_facts.py": await read("types_facts.py"),
    "server.py": "import types_facts\nfrom mcp.server.fastmcp import FastMCP\n" +
      "mcp = FastMCP('facts')\nmcp.tool()(types_facts.table)\n",
  });
  assert(loaded.kind === "loaded", JSON.stringify(loaded));
  const outcome = await python.request("tools/call", { name: "table" });
  assert(outcome.kind === "result", JSON.stringify(outcome));
  const ours = JSON.parse(outcome.result.content[0].text) as Facts;
  const theirs = JSON.parse(await read("types.json")) as Facts;
  const shared = Object.keys(theirs).map((name) => [name, ours[name] ?? null]);
  assertEquals(Object.fromEntries(shared), theirs);
});
