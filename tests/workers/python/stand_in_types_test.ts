import { assertEquals, assertStringIncludes } from "@std/assert";
import { Interpreter } from "./pyodide.ts";

const python = await Interpreter.boot();

async function serve(annotation: string): Promise<Record<string, unknown>> {
  const source = `
from pydantic import *
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("types")
@mcp.tool()
def t(v: ${annotation}) -> str: return repr(v)
`;
  const load = await python.load({ "server.py": source }, { profile: "restricted" });
  assertEquals(load.kind, "loaded", `${annotation} ${JSON.stringify(load)}`);
  const listed = await python.request("tools/list", {});
  if (listed.kind !== "result") throw new Error(listed.message);
  const { title: _, ...shape } = listed.result.tools[0].inputSchema.properties.v;
  return shape;
}

const UUID4 = "1b4e28ba-2fa1-4ad2-883f-0016d3cca427";

/** Annotation, what it takes, what that becomes, what it refuses, why, its schema. */
const TYPES: [string, unknown, string, unknown, string, Record<string, unknown>][] = [
  [
    "PastDate",
    "2020-01-02",
    "datetime.date(2020, 1, 2)",
    "2999-01-01",
    "Date should be in the past",
    {
      type: "string",
      format: "date",
    },
  ],
  [
    "AwareDatetime",
    "2020-01-02T03:00:00Z",
    "datetime.datetime",
    "2020-01-02",
    "have timezone info",
    {
      type: "string",
      format: "date-time",
    },
  ],
  ["UUID4", UUID4, `UUID('${UUID4}')`, UUID4.replace("-4ad2", "-1ad2"), "UUID version 4 expected", {
    type: "string",
    format: "uuid4",
  }],
  ["FilePath", "server.py", "PosixPath('server.py')", "no.txt", "Path does not point to a file", {
    type: "string",
    format: "file-path",
  }],
  ["Json[list[int]]", "[1]", "[1]", "[", "Invalid JSON", {
    type: "string",
    contentMediaType: "application/json",
    contentSchema: { type: "array", items: { type: "integer" } },
  }],
  ["conset(int, max_length=2)", [1], "{1}", [1, 2, 3], "at most 2 items", {
    type: "array",
    items: { type: "integer" },
    maxItems: 2,
    uniqueItems: true,
  }],
];

for (const [annotation, good, made, bad, why, shape] of TYPES) {
  Deno.test(`pydantic's stand-in takes ${annotation} as pydantic does`, async () => {
    assertEquals(await serve(annotation), shape);
    assertStringIncludes(await python.text("t", { v: good }), made);
    assertStringIncludes(await python.text("t", { v: bad }), why);
  });
}

Deno.test("JsonValue takes whatever JSON has, also inside other types", async () => {
  assertEquals(await serve("dict[str, JsonValue]"), {
    type: "object",
    additionalProperties: { $ref: "#/$defs/JsonValue" },
  });
  assertEquals(await python.text("t", { v: { a: [1, { b: null }] } }), "{'a': [1, {'b': None}]}");
});
