"""Parameters of lists, dictionaries, tuples, sets and classes of the standard library."""

import collections
import collections.abc
import dataclasses
import enum
from typing import *

from sdk import FastMCP
from table import ABSENT, calls, lines, parameter_tools, shown

mcp = FastMCP("containers")


class Level(enum.Enum):
    LOW = 1
    HIGH = 2


@dataclasses.dataclass
class Point:
    """A place."""

    x: int
    y: int = 0
    label: Optional[str] = None


@dataclasses.dataclass
class Line:
    start: Point
    end: Point
    tags: list[str] = dataclasses.field(default_factory=list)


class Film(TypedDict):
    """A film."""

    title: str
    year: int


class Partial(TypedDict, total=False):
    name: str
    age: int


class Mixed(TypedDict):
    need: Required[int]
    may: NotRequired[str]


class Pair(NamedTuple):
    left: int
    right: str = "r"


T = TypeVar("T")
type Names = list[str]

LISTS = """
    x: list
    x: list[str]
    x: list[int]
    x: list[float]
    x: List
    x: List[str]
    x: List[int] = []
    x: list[str] = ["a"]
    x: list[str] = None
    x: list[str] | None = None
    x: Optional[List[str]] = None
    x: Optional[list[int]]
    x: list[Optional[int]]
    x: list[int | str]
    x: list[list[int]]
    x: list[dict]
    x: list[dict[str, Any]]
    x: list[Any]
    x: list[Literal["a", "b"]]
    x: list[Level]
    x: list[str] | str
    x: str | list[str]
    x: int | list[int]
    x: Sequence[int]
    x: Iterable[int]
    x: collections.abc.Sequence[str]
    x: Collection[int]
    x: tuple
    x: Tuple[int, str]
    x: tuple[int, ...]
    x: tuple[int]
    x: tuple[()]
    x: tuple[int, str] = (1, "a")
    x: set
    x: Set[int]
    x: set[str]
    x: frozenset[int]
    x: collections.deque[int]
    x: Names
"""
DICTS = """
    x: dict
    x: Dict
    x: dict[str, int]
    x: Dict[str, Any]
    x: Dict[str, str] = {}
    x: dict[str, int] = {"a": 1}
    x: dict = None
    x: Optional[dict] = None
    x: dict | None = None
    x: Optional[Dict[str, Any]] = None
    x: dict[int, str]
    x: dict[str, list[int]]
    x: dict[str, dict[str, float]]
    x: dict[Literal["a", "b"], int]
    x: Mapping[str, int]
    x: MutableMapping[str, int]
    x: collections.OrderedDict[str, int]
    x: collections.defaultdict[str, int]
    x: collections.Counter[str]
    x: dict[str, Any] | list[Any]
    x: Union[str, dict, list]
    x: Point
    x: Point = Point(1)
    x: Optional[Point] = None
    x: list[Point]
    x: Line
    x: Film
    x: Film = {"title": "t", "year": 1}
    x: list[Film]
    x: Partial
    x: Mixed
    x: Pair
    x: Pair = Pair(1)
    x: dict[str, Point]
    x: Point | Film
    x: Point | None
"""
listed, refused = parameter_tools(mcp, LISTS, globals(), "l")
keyed, also_refused = parameter_tools(mcp, DICTS, globals(), "d")
ITEMS = [
    ABSENT, [], [1], ["1", "a"], [1, "a"], [None], [[1], [2]], [{"a": 1}], "a", "[1, 2]", "[]",
    '["a"]', "[1", 5, None, {"a": 1}, [1, 1, 2], ["a", "b", "c"], [True], [1.5],
]  # fmt: skip
ENTRIES = [
    ABSENT, {}, {"a": 1}, {"a": "1"}, {"a": "x"}, {"1": "a"}, {"a": [1]}, {"a": {"b": 1.5}},
    '{"a": 1}', "{}", "text", 5, None, [], [["a", 1]], {"x": 1}, {"x": "2", "y": 3, "z": 4},
    {"title": "t", "year": 1999}, {"title": "t"}, {"name": "n"}, {"need": 1, "may": "m"},
    {"left": 1}, [1, "b"], {"a": {"x": 1}}, [{"x": 1}, {"y": 2}],
    {"start": {"x": 1}, "end": {"x": 2}}, {"start": {"x": 1}, "end": {}, "tags": "t"},
]  # fmt: skip
REQUESTS = [("tools/list", {}), *calls(listed, ITEMS), *calls(keyed, ENTRIES)]


@mcp.tool()
def registrations() -> str:
    """Say what could not be registered."""
    return "\n".join([*refused, *also_refused])


REQUESTS.append(("tools/call", {"name": "registrations"}))
