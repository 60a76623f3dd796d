import { assertEquals } from "@std/assert";
import { Interpreter } from "./pyodide.ts";

const python = await Interpreter.boot();
const DOCS = "\n    For further information visit https://errors.pydantic.dev/2.14/v/";

async function load(source: string): Promise<void> {
  const outcome = await python.load({ "server.py": source });
  if (outcome.kind !== "loaded") throw new Error(JSON.stringify(outcome));
}

const OFFICIAL = `
import datetime
from typing import *
from mcp.server.fastmcp import FastMCP, Image
from mcp.types import CallToolResult, TextContent
from pydantic import BaseModel, Field, field_validator
mcp = FastMCP("calls")
`;

Deno.test("arguments are converted as pydantic's lax mode does", async () => {
  await load(`${OFFICIAL}
@mcp.tool()
def show(i: int = 0, f: float = 0, b: bool = False, l: list[int] = [], d: dict[str, int] = {},
         u: int | str = 0, o: Optional[str] = None, s: str = "") -> str:
    return repr((i, f, b, l, d, u, o, s))
`);
  const cases: [Record<string, unknown>, string][] = [
    [{ i: "3" }, "(3, 0, False, [], {}, 0, None, '')"],
    [{ i: 3.0 }, "(3, 0, False, [], {}, 0, None, '')"],
    [{ i: " 1_000 " }, "(1000, 0, False, [], {}, 0, None, '')"],
    [{ f: "1e5" }, "(0, 100000.0, False, [], {}, 0, None, '')"],
    [{ b: "yes" }, "(0, 0, True, [], {}, 0, None, '')"],
    [{ l: '["1", 2]' }, "(0, 0, False, [1, 2], {}, 0, None, '')"],
    [{ d: '{"a": "1"}' }, "(0, 0, False, [], {'a': 1}, 0, None, '')"],
    [{ u: "3" }, "(0, 0, False, [], {}, '3', None, '')"],
    [{ o: "null" }, "(0, 0, False, [], {}, 0, None, '')"],
    [{ s: '{"a": 1}' }, `(0, 0, False, [], {}, 0, None, '{"a": 1}')`],
    [{ unknown: 1 }, "(0, 0, False, [], {}, 0, None, '')"],
  ];
  for (const [given, shown] of cases) assertEquals(await python.text("show", given), shown);
});

Deno.test("faults of arguments are named as pydantic names them, all at once", async () => {
  await load(`${OFFICIAL}
class Item(BaseModel):
    size: int = Field(ge=1)
    @field_validator("size")
    @classmethod
    def even(cls, value):
        if value % 2:
            raise ValueError("must be even")
        return value
@mcp.tool()
def add(a: int, item: Item, mode: Literal["x", "y"] = "x", when: datetime.date = None) -> int: ...
`);
  const result = await python.tool("add", {
    item: { size: 3 },
    mode: "z",
    when: "2020-13-01",
  });
  assertEquals(result.isError, true);
  assertEquals(
    result.content[0].text,
    "Error executing tool add: 4 validation errors for addArguments\n" +
      "a\n  Field required [type=missing, input_value={'item': {'size': 3}, 'mo...', 'when': " +
      `'2020-13-01'}, input_type=dict]${DOCS}missing\n` +
      "item.size\n  Value error, must be even [type=value_error, input_value=3, input_type=int]" +
      `${DOCS}value_error\n` +
      "mode\n  Input should be 'x' or 'y' [type=literal_error, input_value='z', input_type=str]" +
      `${DOCS}literal_error\n` +
      "when\n  Input should be a valid date or datetime, month value is outside expected range " +
      "of 1-12 [type=date_from_datetime_parsing, input_value='2020-13-01', input_type=str]" +
      `${DOCS}date_from_datetime_parsing`,
  );
});

Deno.test("results become content and structured content", async () => {
  await load(`${OFFICIAL}
class Weather(BaseModel):
    temperature: float
    conditions: str
@mcp.tool()
def text(a: int, b: int) -> str: return str(a + b)
@mcp.tool()
def model() -> Weather: return Weather(temperature=22.5, conditions="sunny")
@mcp.tool()
def numbers() -> list[int]: return [2, 3, 5]
@mcp.tool()
def nothing() -> None: return None
@mcp.tool()
def mixed(): return ["a", Image(data=b"abc", format="png"), {"k": None}]
@mcp.tool()
def own() -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text="x")], _meta={"m": 1})
@mcp.tool()
def small() -> dict: return {"tiny": 1e-7, "e": "é"}
`);
  assertEquals(await python.tool("text", { a: 2, b: 3 }), {
    content: [{ type: "text", text: "5" }],
    structuredContent: { result: "5" },
    isError: false,
  });
  assertEquals(await python.tool("model"), {
    content: [{ type: "text", text: '{\n  "temperature": 22.5,\n  "conditions": "sunny"\n}' }],
    structuredContent: { temperature: 22.5, conditions: "sunny" },
    isError: false,
  });
  assertEquals(await python.tool("numbers"), {
    content: ["2", "3", "5"].map((item) => ({ type: "text", text: item })),
    structuredContent: { result: [2, 3, 5] },
    isError: false,
  });
  assertEquals(await python.tool("nothing"), {
    content: [],
    structuredContent: { result: null },
    isError: false,
  });
  assertEquals((await python.tool("mixed")).content, [
    { type: "text", text: "a" },
    { type: "image", data: "YWJj", mimeType: "image/png" },
    { type: "text", text: '{\n  "k": null\n}' },
  ]);
  assertEquals(await python.tool("own"), {
    content: [{ type: "text", text: "x" }],
    _meta: { m: 1 },
    isError: false,
  });
  assertEquals(await python.text("small"), '{\n  "tiny": 1e-7,\n  "e": "é"\n}');
});

Deno.test("exceptions and results that miss their schema are error results", async () => {
  await load(`${OFFICIAL}
class Weather(TypedDict, total=False):
    humidity: float
@mcp.tool()
def explode() -> str: raise ValueError("boom")
@mcp.tool()
def wrong() -> int: return "abc"
@mcp.tool()
def partial() -> Weather: return {}
@mcp.tool()
def leave() -> str:
    import sys
    sys.exit(3)
`);
  assertEquals(await python.tool("explode"), {
    content: [{ type: "text", text: "Error executing tool explode: boom" }],
    isError: true,
  });
  assertEquals(
    await python.text("wrong"),
    "Error executing tool wrong: 1 validation error for wrongOutput\nresult\n  Input should be a " +
      "valid integer, unable to parse string as an integer [type=int_parsing, input_value='abc', " +
      `input_type=str]${DOCS}int_parsing`,
  );
  assertEquals(
    await python.text("partial"),
    "Output validation error: None is not of type 'number'",
  );
  const left = await python.request("tools/call", { name: "leave", arguments: {} });
  assertEquals(left, { kind: "error", code: -32603, message: "The server called exit (3)" });
  assertEquals(await python.text("explode"), "Error executing tool explode: boom");
});

Deno.test("fastmcp has its own texts for failures and joins lists", async () => {
  await load(`
from fastmcp import FastMCP
from fastmcp.exceptions import ToolError
mcp = FastMCP("f")
@mcp.tool
def explode(): raise ValueError("boom")
@mcp.tool
def told(): raise ToolError("told")
@mcp.tool
def add(a: int, b: int): return a + b
@mcp.tool
def numbers(): return [1, 2]
`);
  assertEquals(await python.text("explode"), "Error calling tool 'explode': boom");
  assertEquals(await python.text("told"), "told");
  assertEquals(
    await python.text("add", { a: 1, c: 2 }),
    "2 validation errors for call[add]\nb\n  Missing required argument [type=missing_argument, " +
      `input_value={'a': 1, 'c': 2}, input_type=dict]${DOCS}missing_argument\nc\n  Unexpected ` +
      "keyword argument [type=unexpected_keyword_argument, input_value=2, input_type=int]" +
      `${DOCS}unexpected_keyword_argument`,
  );
  assertEquals(await python.text("numbers"), "[1,2]");
});

Deno.test("hostile requests are answered with errors", async () => {
  await load(`${OFFICIAL}
@mcp.tool()
def deep(x: list) -> str: return "ok"
`);
  const calls: [string, unknown][] = [
    ["tools/call", { name: 5 }],
    ["tools/call", { name: "deep", arguments: [1] }],
    ["tools/call", []],
    ["tools/call", { name: "deep", arguments: "x" }],
    ["resources/read", { uri: {} }],
    ["prompts/get", {}],
    ["nonsense", {}],
    ["__class__", {}],
  ];
  for (const [method, params] of calls) {
    const outcome = await python.request(method, params);
    assertEquals(outcome.kind, "error", JSON.stringify([method, params, outcome]));
  }
  let nested: unknown = [];
  for (let depth = 0; depth < 3000; depth++) nested = [nested];
  const outcome = await python.request("tools/call", { name: "deep", arguments: { x: nested } });
  assertEquals(["error", "result"].includes(outcome.kind), true);
});

Deno.test("errors show long inputs by their bytes, as pydantic does", async () => {
  await load(`${OFFICIAL}
@mcp.tool()
def number(i: int) -> int: ...
`);
  const cases: [string, string][] = [
    ["🙂".repeat(50), `'${"🙂".repeat(6)}...${"🙂".repeat(5)}'`],
    ["é".repeat(25), `'${"é".repeat(12)}...${"é".repeat(11)}'`],
    [`${"☂".repeat(17)}b`, `'${"☂".repeat(8)}...${"☂".repeat(7)}b'`],
    ["a".repeat(49), `'${"a".repeat(24)}...${"a".repeat(23)}'`],
    ["a".repeat(48), `'${"a".repeat(48)}'`],
    [`ab${"🙂".repeat(13)}`, `'ab${"🙂".repeat(5)}...${"🙂".repeat(5)}'`],
  ];
  for (const [given, shown] of cases) {
    const said = await python.text("number", { i: given });
    assertEquals(/input_value=(.*), input_type/.exec(said)?.[1], shown);
  }
});
