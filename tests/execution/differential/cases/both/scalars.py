"""Parameters of scalar types, plain, optional and in unions."""

import datetime
import decimal
import enum
import pathlib
import uuid
from typing import *

from sdk import FastMCP
from table import ABSENT, calls, lines, parameter_tools, shown

mcp = FastMCP("scalars")


class Colour(enum.Enum):
    """Some colours."""

    RED = "red"
    BLUE = "blue"


class Size(enum.IntEnum):
    SMALL = 1
    LARGE = 2


class Mode(str, enum.Enum):
    FAST = "fast"
    SLOW = "slow"


UserId = NewType("UserId", int)
Number = int | float

TABLE = """
    x: str
    x: int
    x: float
    x: bool
    x: bytes
    x: None
    x: Any
    x: object
    x
    x=5
    x="text"
    x=None
    x: str = "text"
    x: str = ""
    x: int = 10
    x: int = "10"
    x: float = 1
    x: float = 0.5
    x: bool = False
    x: bool = True
    x: bytes = b"ab"
    x: Any = None
    x: str = None
    x: int = None
    x: Optional[str]
    x: Optional[int]
    x: Optional[float]
    x: Optional[bool]
    x: Optional[str] = None
    x: Optional[int] = None
    x: Optional[int] = 7
    x: Optional[bool] = None
    x: str | None
    x: str | None = None
    x: int | None = None
    x: None | int = None
    x: "str"
    x: "Optional[int]" = None
    x: "int | None" = 3
    x: Union[int, str]
    x: Union[str, int]
    x: Union[int, float]
    x: Union[int, str, None] = None
    x: Union[bool, int]
    x: Union[bool, str]
    x: int | float | str
    x: Literal["a", "b"]
    x: Literal["a"]
    x: Literal[1, 2]
    x: Literal[1, "a", None, True]
    x: Literal["a", "b"] = "a"
    x: Optional[Literal["a", "b"]] = None
    x: Literal["a", "b"] | int
    x: Literal[1.5, "x"]
    x: Colour
    x: Colour = Colour.RED
    x: Optional[Colour] = None
    x: Size
    x: Size = Size.SMALL
    x: Mode
    x: Mode = Mode.FAST
    x: Colour | int
    x: UserId
    x: Number
    x: complex
    x: datetime.date
    x: datetime.datetime
    x: datetime.time
    x: datetime.timedelta
    x: datetime.date = datetime.date(2025, 1, 2)
    x: datetime.timedelta = datetime.timedelta(seconds=90)
    x: Optional[datetime.datetime] = None
    x: decimal.Decimal
    x: decimal.Decimal = decimal.Decimal("1.5")
    x: uuid.UUID
    x: uuid.UUID = uuid.UUID(int=5)
    x: pathlib.Path
    x: pathlib.Path = pathlib.Path("a/b")
    x: Text
    x: AnyStr
    x: Hashable
    x: int, y: str
    x: int, y: str = "b"
    x: int, *, y: str = "b"
    *, x: int
    *, x: int = 4, y
    x: int, /, y: int = 2
    long_parameter_name: int
    camelCase: int
    URL: str
    x2_value: str
"""
LINES = lines(TABLE)
made, refused = parameter_tools(mcp, TABLE, globals())
VALUES = [ABSENT, 1, "1", 1.5, "abc", None, ["a"]]
NUMBERS = [0, -1, True, 1e300, 10**20, 3.0, "3.0", "1.50", " 7 ", "", "true", "off", "null", {}]
WORDS = ["red", "RED", "fast", "a", "b", "null", '"quoted"', "[1]", '{"a": 1}', True, {"a": 1}]
MOMENTS = [
    "2025-01-02", "2025-01-02T03:04:05", "2025-01-02T03:04:05Z", "2025-01-02 03:04:05+02:00",
    "2025-13-02", "2025-01-02T25:00", "03:04:05", "03:04", "P1DT2H", "PT90S", "90", "1735787045",
    1735787045,
]  # fmt: skip
SPELLED = [
    "12345678-1234-5678-1234-567812345678", "urn:uuid:12345678-1234-5678-1234-567812345678",
    "12345678123456781234567812345678", "1.5", "1e5", "NaN", "a/b.txt", "", True,
]  # fmt: skip


def chosen(*words):
    """Return the tools whose signature is one of those given."""
    return [
        (f"p{index}", "x")
        for index, line in enumerate(LINES)
        if line in words and any(name == f"p{index}" for name, _ in made)
    ]


NUMERIC = chosen("x: int", "x: float", "x: bool", "x: Optional[int]", "x: Union[int, float]",
                 "x: Union[bool, int]", "x: int | float | str", "x: Size", "x: Literal[1, 2]")
WORDY = chosen("x: str", "x: bytes", "x: Any", "x", "x: Optional[str]", "x: Union[int, str]",
               'x: Literal["a", "b"]', "x: Colour", "x: Mode", "x: Literal[1, \"a\", None, True]")
TIMELY = chosen("x: datetime.date", "x: datetime.datetime", "x: datetime.time",
                "x: datetime.timedelta")
OTHERS = chosen("x: decimal.Decimal", "x: uuid.UUID", "x: pathlib.Path")
REQUESTS = [
    ("tools/list", {}),
    *calls(made, VALUES),
    *calls(NUMERIC, NUMBERS),
    *calls(WORDY, WORDS),
    *calls(TIMELY, MOMENTS),
    *calls(OTHERS, SPELLED),
    *[
        ("tools/call", {"name": "p80", "arguments": arguments})
        for arguments in ({"x": 1, "y": "b"}, {"x": 1, "y": 2}, {"x": 1, "y": "b", "z": 3}, {})
    ],
]


@mcp.tool()
def registrations() -> str:
    """Say what could not be registered."""
    return "\n".join(refused)


REQUESTS.append(("tools/call", {"name": "registrations"}))
