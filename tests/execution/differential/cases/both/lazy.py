"""Iterables that are validated while a tool goes through them, and moments with a time zone."""

import copy
import datetime
from collections.abc import Generator, Iterable
from typing import Annotated, Any, Optional

from pydantic import Field
from sdk import FastMCP
from table import call, lines

mcp = FastMCP("lazy")
ITERABLES = """
    Iterable[int]
    Iterable[str]
    Iterable[float]
    Iterable[bool]
    Iterable[Any]
    Iterable
    Iterable[list[int]]
    Iterable[dict[str, int]]
    Iterable[int | str]
    Generator[int, None, None]
    Iterable[Annotated[int, Field(ge=0)]]
    Optional[Iterable[int]]
    list[Iterable[int]]
    dict[str, Iterable[int]]
"""
MOMENTS = """
    repr(x)
    str(x)
    x.isoformat()
    x.tzname()
    str(x.utcoffset())
    str(x.dst())
    repr(x.tzinfo)
    str(x.astimezone(datetime.timezone.utc))
    str(x.replace(tzinfo=None))
    x.strftime("%Y-%m-%d %H:%M:%S %z %Z")
    str(x == x.astimezone(datetime.timezone.utc))
    str(x - datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc))
    str(x.tzinfo == datetime.timezone.utc)
    str(x.tzinfo == datetime.timezone(datetime.timedelta(hours=2)))
    str(x.tzinfo is copy.deepcopy(x).tzinfo)
    str(isinstance(x.tzinfo, datetime.tzinfo))
    str(x + datetime.timedelta(days=1, seconds=1))
    repr(x.timetz())
    str(x.timestamp())
"""


def goes_through(name, annotation):
    """Register a tool that goes through its parameter, item by item."""

    def tool(x):
        found = []
        values = x.values() if isinstance(x, dict) else x if isinstance(x, list) else [x]
        for value in values:
            for item in value or ():
                found.append(item)
        return f"{found!r} {type(x).__name__}"

    tool.__name__ = name
    tool.__annotations__ = {"x": annotation, "return": str}
    mcp.tool()(tool)


def tells(name, expression):
    """Register a tool that computes something of a moment."""

    def tool(x):
        return eval(expression, globals(), {"x": x})

    tool.__name__ = name
    tool.__annotations__ = {"x": datetime.datetime, "return": str}
    mcp.tool()(tool)


@mcp.tool()
def steps(x: Iterable[int]) -> list[str]:
    """Goes on after an item that is not valid."""
    said = [repr(x), str(iter(x) is x)]
    while True:
        try:
            said.append(str(next(x)))
        except StopIteration:
            return [*said, repr(x)]
        except ValueError as error:
            said.append(f"{type(error).__name__} {error}")


@mcp.tool()
def given(x: Iterable[int]) -> Iterable[int]:
    return x


@mcp.tool()
def clocks(x: datetime.time) -> str:
    return f"{x!r} {x} {x.tzname()} {x.utcoffset()}"


@mcp.tool()
def returned(x: datetime.datetime) -> datetime.datetime:
    return x


@mcp.tool()
def kept(x: datetime.datetime | None = None) -> dict[str, datetime.datetime | None]:
    return {"x": x}


names = []
for number, annotation in enumerate(lines(ITERABLES)):
    names.append(f"i{number}")
    goes_through(names[-1], eval(annotation))
moments = []
for number, expression in enumerate(lines(MOMENTS)):
    moments.append(f"m{number}")
    tells(moments[-1], expression)
LISTS = [
    [], [1, 2], ["1", "2"], [1, "a", 2], ["a", 1, None], "12", "[1, 2]", {"a": [1]}, [[1], [2, "b"]],
    5, None, [-1, 1], [1.5, True],
]  # fmt: skip
TIMES = [
    "2025-01-02T03:04:05Z", "2025-01-02T03:04:05+02:00", "2025-06-02T03:04:05-05:30",
    "2025-01-02T03:04:05.678-00:00", "2025-01-02T03:04:05+00:30", 1735787045, 1735787045.25,
    "2025-01-02T03:04:05+23:59", "2025-01-02T03:04:05+24:00", "2025-01-02T03:04:05+0200",
]  # fmt: skip
REQUESTS = [
    ("tools/list", {}),
    *[call(name, x=value) for name in names for value in LISTS],
    *[call("steps", x=value) for value in LISTS],
    *[call("given", x=value) for value in LISTS],
    *[call(name, x=value) for name in moments for value in TIMES],
    *[call(name, x=value) for name in ("returned", "kept") for value in TIMES],
    *[
        call("clocks", x=value)
        for value in ("03:04:05Z", "03:04+02:00", "03:04:05.5-01:30", "03:04", 5, 86399.5, "x")
    ],
]  # fmt: skip
