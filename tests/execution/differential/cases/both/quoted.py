"""Annotations that are quoted once (in the lines below) and twice, as under `annotations`."""

import datetime
import enum
from dataclasses import dataclass
from typing import *

from pydantic import Field
from sdk import Context, FastMCP
from table import ABSENT, call, calls, lines, parameter_tools, return_tools, shown
from typing_extensions import TypedDict

mcp = FastMCP("quoted")


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclass
class Node:
    value: "int" = 1
    below: "Node | None" = None


class Keyed(TypedDict):
    a: "int"
    b: "list[str]"


TABLE = """
    x: "int"
    x: "int | None" = None
    x: "Optional[int]" = None
    x: "Colour"
    x: "list[Colour]"
    x: "Node"
    x: "Keyed"
    x: "datetime.date"
    x: "Literal['a', 'b']"
    x: "Annotated[int, Field(ge=1, description='d')]"
    x: Annotated["int", Field(ge=1)]
    x: Optional["int"] = None
    x: Union["int", str]
    x: dict[str, "Any"]
    x: tuple["int", ...]
    x: "'int'"
    x: "'int | None'" = None
    x: "'str'" = "s"
    x: "list['int']"
    x: "Optional['int']" = None
    x: "Annotated['int', Field(ge=1)]"
    x: "dict['str', 'int']"
"""
CONTEXTS = """
    ctx: "Context", x: int = 1
    x: "int", ctx: "Context"
    x: "int" = 1, ctx: "Context" = None
"""
VALUES = [ABSENT, 1, "1", "a", None, "red", ["red"], [1, "2"], {"a": 1}, {"value": 2}, "2025-01-02"]
RETURNS = """
    "int" => 5
    "str" => "s"
    "list[int]" => [1]
    "dict[str, int]" => {"a": 1}
    "Node" => Node()
    "Keyed" => {"a": 1, "b": []}
    "Colour" => Colour.RED
    "int | None" => None
    list["int"] => [1]
    "'int'" => 5
    "'str'" => "s"
    "'dict[str, int]'" => {"a": 1}
    "'list[int]'" => [1]
    "list['int']" => [1]
"""
made, refused = parameter_tools(mcp, TABLE, globals())
returned, unreturned = return_tools(mcp, RETURNS, globals())
for number, line in enumerate(lines(CONTEXTS)):
    names = {}
    source = f"def c{number}({line}) -> str: return f'{{type(ctx).__name__}} {{x!r}}'"
    exec(source, globals(), names)
    mcp.tool()(names[f"c{number}"])


@mcp.tool()
def refusals() -> str:
    """Says what could not be registered."""
    return "\n".join(line.partition(": ")[0] for line in [*refused, *unreturned])


REQUESTS = [
    ("tools/list", {}),
    call("refusals"),
    *calls(made, VALUES),
    *[call(name, x=3) for name in ("c0", "c1", "c2")],
    *calls([(name, None) for name in returned], [ABSENT]),
]
