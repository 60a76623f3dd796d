import { assertEquals } from "@std/assert";
import { Interpreter } from "./pyodide.ts";

const python = await Interpreter.boot();

Deno.test("models validate, dump and copy as pydantic's do", async () => {
  const found = await python.run(`
from datetime import date
from enum import Enum
from typing import *
from pydantic import *
class Color(Enum):
    RED = "red"
class Part(BaseModel):
    size: int = Field(alias="Size", ge=0)
class Item(BaseModel):
    model_config = ConfigDict(populate_by_name=True)
    name: str
    part: Part
    tags: list[str] = Field(default_factory=list)
    day: date = date(2020, 1, 2)
    color: Color = Color.RED
    extra: Optional[dict[str, Any]] = None
    _seen: int = PrivateAttr(default=0)
    kind: ClassVar[str] = "item"
    @field_validator("name", mode="before")
    @classmethod
    def strip(cls, value): return value.strip() if isinstance(value, str) else value
    @computed_field
    @property
    def label(self) -> str: return f"{self.name}!"
item = Item.model_validate({"name": " a ", "part": {"Size": "3"}})
copy = item.model_copy(update={"name": "b"})
[item.model_dump(mode="json", exclude_none=True), item.model_dump(by_alias=True)["part"],
 item.model_dump_json(include={"name", "day"}), copy.name, item.name, copy == item, item._seen,
 Item.kind, sorted(item.model_fields_set), list(Item.model_fields), repr(item.part),
 Item.model_validate_json('{"name": "x", "part": {"Size": 1}}').part.size]
`);
  assertEquals(found, [
    { name: "a", part: { size: 3 }, tags: [], day: "2020-01-02", color: "red", label: "a!" },
    { Size: 3 },
    '{"name":"a","day":"2020-01-02"}',
    "b",
    "a",
    false,
    0,
    "item",
    ["name", "part"],
    ["name", "part", "tags", "day", "color", "extra"],
    "Part(size=3)",
    1,
  ]);
});

Deno.test("generic, root and made models, adapters and constrained types", async () => {
  const found = await python.run(`
from typing import *
from pydantic import *
T = TypeVar("T")
class Page(BaseModel, Generic[T]):
    items: list[T]
class Numbers(RootModel[list[int]]): pass
Made = create_model("Made", a=(int, ...), b=(str, "x"))
[Page[int].model_validate({"items": ["1"]}).items, Numbers.model_validate(["1", 2]).root,
 Numbers([3]).model_dump(), RootModel[dict[str, int]].model_validate({"a": "1"}).model_dump(),
 Made(a="1").model_dump(), TypeAdapter(list[int]).validate_python(("1",)),
 TypeAdapter(dict[str, float]).json_schema(), TypeAdapter(HttpUrl).validate_python("http://x.com"),
 TypeAdapter(PositiveInt).validate_python("3")]
`);
  assertEquals(found, [
    [1],
    [1, 2],
    [3],
    { a: 1 },
    { a: 1, b: "x" },
    [1],
    { additionalProperties: { type: "number" }, type: "object" },
    "http://x.com/",
    3,
  ]);
});

Deno.test("faults list every problem with its place", async () => {
  const found = await python.run(`
from typing import *
from pydantic import *
class A(BaseModel):
    model_config = {"extra": "forbid", "frozen": True}
    x: int
    y: list[Annotated[str, Field(min_length=2)]] = []
out = []
try:
    A(x="q", y=["ab", "c"], z=1)
except ValidationError as error:
    out = [[e["loc"], e["type"]] for e in error.errors()] + [error.error_count(), error.title]
try:
    A(x=1).x = 2
except ValidationError as error:
    out.append(error.errors()[0]["type"])
out
`);
  assertEquals(found, [
    [["x"], "int_parsing"],
    [["y", 1], "string_too_short"],
    [["z"], "extra_forbidden"],
    3,
    "A",
    "frozen_instance",
  ]);
});

Deno.test("a pydantic that the repository brings comes before the stand-in", async () => {
  const load = await python.load({
    "server.py":
      `import pydantic\nfrom mcp.server.fastmcp import FastMCP\nprint(pydantic.REAL)\nmcp = FastMCP()\n`,
    "pydantic/__init__.py": "REAL = 'real'\n",
  });
  assertEquals(load.kind, "loaded");
  assertEquals(python.events[0]?.text, "real");
});
