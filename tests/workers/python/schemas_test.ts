import { assertEquals } from "@std/assert";
import { Interpreter } from "./pyodide.ts";

const python = await Interpreter.boot();

interface Listed {
  name: string;
  // deno-lint-ignore no-explicit-any -- JSON Schema
  inputSchema: any;
  // deno-lint-ignore no-explicit-any -- JSON Schema
  outputSchema?: any;
}

const HEAD = `
import dataclasses
from typing import *
from mcp.server.fastmcp import FastMCP
from pydantic import BaseModel, Field
from annotated_types import Gt
mcp = FastMCP("schemas")
`;

async function tools(body: string, head = HEAD): Promise<Record<string, Listed>> {
  const load = await python.load({ "server.py": head + body });
  if (load.kind !== "loaded") throw new Error(JSON.stringify(load));
  const outcome = await python.request("tools/list");
  if (outcome.kind !== "result") throw new Error(outcome.message);
  return Object.fromEntries((outcome.result.tools as Listed[]).map((tool) => [tool.name, tool]));
}

Deno.test("inputSchema lists parameters with titles, required ones and defaults", async () => {
  const { search, limited } = await tools(`
def search_books(query: str, limit: int) -> str: ...
mcp.add_tool(search_books, name="search")
def search_books(query: str, limit: int = 10) -> str: ...
mcp.add_tool(search_books, name="limited")
`);
  const title = "search_booksArguments";
  assertEquals(search!.inputSchema, {
    properties: {
      query: { title: "Query", type: "string" },
      limit: { title: "Limit", type: "integer" },
    },
    required: ["query", "limit"],
    title,
    type: "object",
  });
  assertEquals(limited!.inputSchema, {
    properties: {
      query: { title: "Query", type: "string" },
      limit: { default: 10, title: "Limit", type: "integer" },
    },
    required: ["query"],
    title,
    type: "object",
  });
});

Deno.test("inputSchema of parameters without annotation is text under the raw name", async () => {
  const { anonymous } = await tools(`mcp.add_tool(lambda x, y=5: x, name="anonymous")\n`);
  assertEquals(anonymous!.inputSchema, {
    properties: {
      x: { title: "x", type: "string" },
      y: { default: 5, title: "y", type: "string" },
    },
    required: ["x"],
    title: "<lambda>Arguments",
    type: "object",
  });
});

Deno.test("inputSchema of no parameters has no required key", async () => {
  const { nothing } = await tools(`
@mcp.tool()
def nothing(): ...
`);
  assertEquals(nothing!.inputSchema, { properties: {}, title: "nothingArguments", type: "object" });
  assertEquals(nothing!.outputSchema, undefined);
});

Deno.test("inputSchema of lists, unions, fields and optional values", async () => {
  const { many } = await tools(`
@mcp.tool()
def many(
    list_of_ints: list[int],
    list_str_or_str: list[str] | str,
    an_int_annotated_with_field_and_others: Annotated[
        int, Field(description="An int with a field"), Gt(1)
    ],
    an_int_with_equals_field: int = Field(1, ge=0),
    resourceUri: Optional[str] = None,
    mode: Literal["fast", "slow"] = "fast",
    text: Annotated[str, Field(min_length=1, max_length=3, pattern="^a")] = "a",
    share: Annotated[float, Field(gt=0, lt=1.5)] = 0.5,
    counts: Optional[Annotated[int, Field(ge=1)]] = Field(None, description="How many"),
): ...
`);
  assertEquals(many!.inputSchema.properties, {
    list_of_ints: { items: { type: "integer" }, title: "List Of Ints", type: "array" },
    list_str_or_str: {
      anyOf: [{ items: { type: "string" }, type: "array" }, { type: "string" }],
      title: "List Str Or Str",
    },
    an_int_annotated_with_field_and_others: {
      description: "An int with a field",
      exclusiveMinimum: 1,
      title: "An Int Annotated With Field And Others",
      type: "integer",
    },
    an_int_with_equals_field: {
      default: 1,
      minimum: 0,
      title: "An Int With Equals Field",
      type: "integer",
    },
    resourceUri: {
      anyOf: [{ type: "string" }, { type: "null" }],
      default: null,
      title: "Resourceuri",
    },
    mode: { default: "fast", enum: ["fast", "slow"], title: "Mode", type: "string" },
    text: {
      default: "a",
      maxLength: 3,
      minLength: 1,
      pattern: "^a",
      title: "Text",
      type: "string",
    },
    share: {
      default: 0.5,
      exclusiveMaximum: 1.5,
      exclusiveMinimum: 0,
      title: "Share",
      type: "number",
    },
    counts: {
      anyOf: [{ minimum: 1, type: "integer" }, { type: "null" }],
      default: null,
      description: "How many",
      title: "Counts",
    },
  });
});

Deno.test("inputSchema refers to models by $defs", async () => {
  const { models } = await tools(`
class InnerModel(BaseModel):
    x: int
class SomeInputModelA(BaseModel):
    pass
class SomeInputModelB(BaseModel):
    how_many: int = Field(description="How many")
    ok: InnerModel
    y: None
@mcp.tool()
def models(my_model_b: SomeInputModelB, my_model_a: SomeInputModelA = SomeInputModelA()): ...
`);
  assertEquals(models!.inputSchema, {
    $defs: {
      InnerModel: {
        properties: { x: { title: "X", type: "integer" } },
        required: ["x"],
        title: "InnerModel",
        type: "object",
      },
      SomeInputModelA: { properties: {}, title: "SomeInputModelA", type: "object" },
      SomeInputModelB: {
        properties: {
          how_many: { description: "How many", title: "How Many", type: "integer" },
          ok: { $ref: "#/$defs/InnerModel" },
          y: { title: "Y", type: "null" },
        },
        required: ["how_many", "ok", "y"],
        title: "SomeInputModelB",
        type: "object",
      },
    },
    properties: {
      my_model_b: { $ref: "#/$defs/SomeInputModelB" },
      my_model_a: { $ref: "#/$defs/SomeInputModelA", default: {} },
    },
    required: ["my_model_b"],
    title: "modelsArguments",
    type: "object",
  });
});

Deno.test("outputSchema wraps what is no object under result", async () => {
  const found = await tools(`
@mcp.tool()
def func_str() -> str: ...
@mcp.tool()
def func_none() -> None: ...
@mcp.tool()
def func_bytes() -> bytes: ...
@mcp.tool()
def func_list_str() -> list[str]: ...
@mcp.tool()
def func_optional() -> str | None: ...
@mcp.tool()
def func_typing_dict() -> Dict[str, Any]: ...
`);
  const result = (name: string) => found[name]!.outputSchema.properties.result;
  assertEquals(found["func_str"]!.outputSchema, {
    properties: { result: { title: "Result", type: "string" } },
    required: ["result"],
    title: "func_strOutput",
    type: "object",
  });
  assertEquals(result("func_none"), { title: "Result", type: "null" });
  assertEquals(result("func_bytes"), { format: "binary", title: "Result", type: "string" });
  assertEquals(result("func_list_str"), {
    items: { type: "string" },
    title: "Result",
    type: "array",
  });
  assertEquals(result("func_optional"), {
    anyOf: [{ type: "string" }, { type: "null" }],
    title: "Result",
  });
  assertEquals(result("func_typing_dict"), {
    additionalProperties: true,
    title: "Result",
    type: "object",
  });
});

Deno.test("outputSchema of objects is their own", async () => {
  const found = await tools(`
class PersonModel(BaseModel):
    name: str
    age: int
    email: str | None = None
@dataclasses.dataclass
class PersonData:
    name: str
    age: int
    email: str | None = None
class PersonDict(TypedDict, total=False):
    name: str
@mcp.tool()
def model() -> PersonModel: ...
@mcp.tool()
def data() -> PersonData: ...
@mcp.tool()
def typed() -> PersonDict: ...
@mcp.tool()
def func_dict_str_int() -> dict[str, int]: ...
@mcp.tool()
def bare() -> dict: ...
@mcp.tool()
def anything() -> Any: ...
@mcp.tool(structured_output=False)
def refused() -> str: ...
`);
  const person = (title: string) => ({
    properties: {
      name: { title: "Name", type: "string" },
      age: { title: "Age", type: "integer" },
      email: { anyOf: [{ type: "string" }, { type: "null" }], default: null, title: "Email" },
    },
    required: ["name", "age"],
    title,
    type: "object",
  });
  assertEquals(found["model"]!.outputSchema, person("PersonModel"));
  assertEquals(found["data"]!.outputSchema, person("PersonData"));
  assertEquals(found["typed"]!.outputSchema, {
    properties: { name: { default: null, title: "Name", type: "string" } },
    title: "PersonDict",
    type: "object",
  });
  assertEquals(found["func_dict_str_int"]!.outputSchema, {
    additionalProperties: { type: "integer" },
    title: "func_dict_str_intDictOutput",
    type: "object",
  });
  for (const name of ["bare", "anything", "refused"]) {
    assertEquals(found[name]!.outputSchema, undefined);
  }
});

Deno.test("fastmcp prunes titles and marks wrapped results", async () => {
  const { add } = await tools(
    `
@mcp.tool
def add(x: int, y: Annotated[int, "The second"] = 2) -> int: ...
`,
    `from typing import *\nfrom fastmcp import FastMCP\nmcp = FastMCP("f")\n`,
  );
  // As FastMCP 4 lists them, which a server gets that names no version.
  assertEquals(add!.inputSchema, {
    additionalProperties: false,
    properties: {
      x: { type: "integer" },
      y: { default: 2, description: "The second", type: "integer" },
    },
    required: ["x"],
    type: "object",
  });
  assertEquals(add!.outputSchema, {
    properties: { result: { type: "integer" } },
    required: ["result"],
    type: "object",
    "x-fastmcp-wrap-result": true,
  });
});

Deno.test("typed dictionaries keep their optional keys under postponed annotations", async () => {
  const { typed } = await tools(
    `
class Query(TypedDict):
    text: Required[str]
    limit: NotRequired[int]
@mcp.tool()
def typed(query: Query) -> str: ...
`,
    `from __future__ import annotations\n${HEAD}`,
  );
  assertEquals(typed!.inputSchema.$defs.Query.required, ["text"]);
});

Deno.test("fastmcp describes what is written: output names and computed fields", async () => {
  const { made } = await tools(
    `
class Box(BaseModel):
    width: int = Field(validation_alias="w", serialization_alias="W")
    @computed_field
    @property
    def area(self) -> int: return self.width ** 2
@mcp.tool
def made(box: Box) -> Box: return box
`,
    `from fastmcp import FastMCP\nfrom pydantic import BaseModel, Field, computed_field\nmcp = FastMCP("f")\n`,
  );
  assertEquals(Object.keys(made!.inputSchema.properties.box.properties), ["w"]);
  assertEquals(made!.outputSchema, {
    properties: { W: { type: "integer" }, area: { readOnly: true, type: "integer" } },
    required: ["W", "area"],
    type: "object",
  });
  assertEquals((await python.tool("made", { box: { w: 3 } })).structuredContent, { W: 3, area: 9 });
});
