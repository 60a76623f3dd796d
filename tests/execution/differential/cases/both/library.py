"""Classes of the library that are given as text, named types, flags, small enumerations."""

import decimal
import enum
import fractions
import ipaddress
import os
import re
import zoneinfo
from collections import namedtuple
from collections.abc import Set
from typing import *

from pydantic import Field
from sdk import FastMCP
from table import ABSENT, calls, parameter_tools, return_tools, shown
from typing_extensions import TypeAliasType

mcp = FastMCP("library")
T = TypeVar("T")


class Only(enum.StrEnum):
    ONE = "one"


class Rights(enum.Flag):
    READ = 1
    WRITE = 2


class Bits(enum.IntFlag):
    LOW = 1
    HIGH = 2


Pair = namedtuple("Pair", "a b")
Ids = TypeAliasType("Ids", Annotated[list[int], Field(max_length=3, description="ids")])
Name = TypeAliasType("Name", str)
Json = TypeAliasType("Json", "dict[str, Json] | list[Json] | str | int | None")
Both = TypeAliasType("Both", tuple[T, T], type_params=(T,))
TABLE = """
    x: ipaddress.IPv4Address
    x: ipaddress.IPv6Address
    x: ipaddress.IPv4Network
    x: ipaddress.IPv6Network
    x: ipaddress.IPv4Interface
    x: ipaddress.IPv6Interface
    x: ipaddress.IPv4Address | None = None
    x: ipaddress.IPv4Address | ipaddress.IPv6Address
    x: list[ipaddress.IPv4Address]
    x: dict[str, ipaddress.IPv4Network]
    x: ipaddress.IPv4Address = ipaddress.IPv4Address("10.0.0.1")
    x: re.Pattern
    x: re.Pattern[str]
    x: Pattern[str] | None = None
    x: fractions.Fraction
    x: fractions.Fraction = fractions.Fraction(1, 3)
    x: zoneinfo.ZoneInfo
    x: os.PathLike
    x: Only
    x: Only = Only.ONE
    x: Rights
    x: Bits
    x: Pair
    x: Ids
    x: Ids | None = None
    x: Name
    x: list[Name]
    x: Json
    x: Both[int]
    x: Annotated[decimal.Decimal, Field(max_digits=4, decimal_places=2)]
    x: Annotated[decimal.Decimal, Field(max_digits=3)]
    x: Annotated[decimal.Decimal, Field(decimal_places=1)]
    x: Set[int]
    x: AbstractSet[str]
    x: Literal[b"x"]
    x: Literal[Only.ONE]
"""
VALUES = [
    ABSENT, None, 1, "1", "a", True, [], [1, 2], [1, 2, 3], ["1"], {"a": 1},
    {"a": [None, {"b": 1}]},
    "1.2.3.4", "::1", "10.0.0.0/8", "10.0.0.1/8", "::/8", "256.1.1.1", ["1.2.3.4"], "1/3", "1/0",
    "0.25", "No/Where", "^a+$", "(", "/tmp/x", "one", "two", 3, 4, "123.45", "12.34",
    "12.345", "x", "1234", "0.1200",
]  # fmt: skip
RETURNS = """
    ipaddress.IPv4Address => ipaddress.IPv4Address("1.2.3.4")
    list[ipaddress.IPv6Address] => [ipaddress.IPv6Address("::1")]
    dict[str, ipaddress.IPv4Network] => {"a": ipaddress.IPv4Network("10.0.0.0/8")}
    - => ipaddress.IPv4Interface("10.0.0.1/8")
    list[fractions.Fraction] => [fractions.Fraction(1, 3)]
    list[re.Pattern[str]] => [re.compile("a+")]
    list[Only] => [Only.ONE]
    Only => Only.ONE
    list[Json] => [1, {"a": None}]
"""
made, refused = parameter_tools(mcp, TABLE, globals())
returned, unreturned = return_tools(mcp, RETURNS, globals())


@mcp.tool()
def refusals() -> str:
    """Says what could not be registered."""
    return "\n".join(line.partition(": ")[0] for line in [*refused, *unreturned])


REQUESTS = [
    ("tools/list", {}),
    ("tools/call", {"name": "refusals", "arguments": {}}),
    *calls(made, VALUES),
    *calls([(name, None) for name in returned], [ABSENT]),
]
