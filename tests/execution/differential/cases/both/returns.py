"""Return annotations and what is returned under them."""

import collections
import dataclasses
import datetime
import decimal
import enum
import pathlib
import uuid
from typing import *

from pydantic import BaseModel, Field, computed_field, field_serializer
from sdk import FastMCP
from table import call, return_tools

mcp = FastMCP("returns")


class Colour(enum.Enum):
    RED = "red"


class Person(BaseModel):
    """Somebody."""

    name: str
    age: int
    email: Optional[str] = None


class Aliased(BaseModel):
    first_name: str = Field(alias="firstName", default="a")


class Computed(BaseModel):
    a: int = 1

    @computed_field
    @property
    def double(self) -> int:
        return self.a * 2


class Serialised(BaseModel):
    when: datetime.date = datetime.date(2025, 1, 2)

    @field_serializer("when")
    def short(self, value):
        return value.year


@dataclasses.dataclass
class Point:
    """A place."""

    x: int
    y: int = 0


class Film(TypedDict):
    title: str
    year: int


class Partial(TypedDict, total=False):
    name: str
    age: int


class Annotated_(object):
    name: str
    size: int = 3

    def __init__(self, name="n", size=4):
        self.name, self.size = name, size

    def __repr__(self):
        return "Annotated_()"


class Bare:
    def __init__(self):
        self.a = 1

    def __repr__(self):
        return "Bare()"

    __str__ = __repr__


class Pair(NamedTuple):
    left: int
    right: str = "r"


TABLE = """
    str => "text"
    str => ""
    str => 5
    str => None
    str => ["a"]
    str => "multi\\nline ☃"
    int => 5
    int => "5"
    int => "x"
    int => 2.0
    int => 2.5
    int => True
    int => None
    float => 1.5
    float => 1
    float => "1.5"
    float => float("inf")
    float => float("nan")
    float => 1e100
    bool => True
    bool => "yes"
    bool => 0
    None => None
    None => "text"
    bytes => b"ab"
    bytes => bytes([255])
    Any => 5
    Any => {"a": 1}
    Any => None
    object => 5
    - => "text"
    - => 5
    - => 1.5
    - => None
    - => True
    - => {"a": 1}
    - => {"a": None, "b": [1, {"c": "d"}]}
    - => {}
    - => {1: 2}
    - => []
    - => [1, 2, 3]
    - => ["a", {"b": 1}]
    - => [[1, 2], [3]]
    - => (1, "a")
    - => {1}
    - => [None, None]
    - => b"ab"
    - => datetime.date(2025, 1, 2)
    - => datetime.datetime(2025, 1, 2, 3, 4, 5)
    - => datetime.timedelta(seconds=90)
    - => decimal.Decimal("1.50")
    - => uuid.UUID(int=5)
    - => pathlib.Path("a/b")
    - => Colour.RED
    - => Person(name="n", age=1)
    - => [Person(name="n", age=1), Person(name="m", age=2)]
    - => Point(1, 2)
    - => Pair(1, "b")
    - => Bare()
    - => [Bare()]
    - => {"a": Bare()}
    - => range(3)
    - => (x for x in [1, 2])
    - => 1j
    - => float("nan")
    - => {"a": float("inf")}
    - => "☃ é"
    - => {"é": "☃"}
    - => 10**30
    dict => {"a": 1}
    dict => {"a": {"b": [1]}}
    dict => "text"
    dict => None
    dict => {1: 2}
    dict => {"a": datetime.date(2025, 1, 2)}
    Dict => {"a": 1}
    dict[str, int] => {"a": 1}
    dict[str, int] => {"a": "1"}
    dict[str, int] => {"a": "x"}
    dict[str, int] => {}
    dict[str, int] => []
    dict[str, int] => None
    dict[str, Any] => {"a": 1, "b": [2]}
    dict[str, Any] => {"error": None}
    dict[str, str] => {"a": "b"}
    dict[str, list[int]] => {"a": [1]}
    dict[int, str] => {1: "a"}
    Dict[str, Any] => {"a": 1}
    Dict[str, int] => {"a": "x"}
    Mapping[str, int] => {"a": 1}
    collections.OrderedDict[str, int] => {"a": 1}
    list => [1, 2]
    list => []
    list => {"a": 1}
    List => [1]
    list[int] => [1, 2, 3]
    list[int] => ["1", "x"]
    list[int] => []
    list[int] => (1, 2)
    list[int] => "12"
    list[int] => None
    list[str] => ["a", "b"]
    list[dict] => [{"a": 1}, {"b": 2}]
    list[dict[str, Any]] => [{"a": 1}]
    List[str] => ["a"]
    List[Dict[str, Any]] => [{"a": 1}]
    list[Person] => [Person(name="n", age=1)]
    list[Person] => [{"name": "n", "age": "x"}]
    list[Any] => [1, "a", None]
    tuple => (1, 2)
    tuple[int, str] => (1, "a")
    tuple[int, ...] => (1, 2)
    Tuple[int, str] => (1, 2)
    set[int] => {1}
    frozenset[str] => frozenset({"a"})
    Sequence[int] => [1, 2]
    Iterable[int] => [1, 2]
    Iterator[int] => iter([1, 2])
    Optional[str] => "a"
    Optional[str] => None
    Optional[int] => "x"
    str | None => None
    int | str => 5
    int | str => "a"
    Union[dict, list] => {"a": 1}
    Union[str, dict[str, Any]] => {"a": 1}
    dict | None => None
    dict[str, Any] | None => {"a": 1}
    list[str] | str => ["a"]
    Literal["a", "b"] => "a"
    Literal["a", "b"] => "c"
    Colour => Colour.RED
    Colour => "red"
    datetime.date => datetime.date(2025, 1, 2)
    datetime.datetime => datetime.datetime(2025, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)
    datetime.timedelta => datetime.timedelta(days=1, seconds=5)
    decimal.Decimal => decimal.Decimal("1.50")
    uuid.UUID => uuid.UUID(int=5)
    pathlib.Path => pathlib.Path("a/b")
    Person => Person(name="n", age=1)
    Person => Person(name="n", age=1, email="e")
    Person => {"name": "n", "age": 1}
    Person => {"name": "n"}
    Person => None
    Person => "text"
    Optional[Person] => Person(name="n", age=1)
    Optional[Person] => None
    Person | str => "text"
    dict[str, Person] => {"a": Person(name="n", age=1)}
    Aliased => Aliased()
    Computed => Computed()
    Serialised => Serialised()
    Point => Point(1, 2)
    Point => {"x": 1}
    Point => Point("1", 2)
    list[Point] => [Point(1)]
    Film => {"title": "t", "year": 1}
    Film => {"title": "t"}
    Partial => {"name": "n"}
    Partial => {}
    Pair => Pair(1)
    Annotated_ => Annotated_()
    Bare => Bare()
    complex => 1j
    Annotated[int, Field(description="A number")] => 5
    Annotated[int, Field(ge=10)] => 5
    Annotated[dict[str, int], Field(description="A map")] => {"a": 1}
    Annotated[str, "words"] => "a"
    "str" => "a"
    "dict[str, int]" => {"a": 1}
    NoReturn => None
    Text => "a"
    AnyStr => "a"
"""
made, refused = return_tools(mcp, TABLE, globals())
REQUESTS = [("tools/list", {}), *[call(name) for name in made]]


@mcp.tool()
def registrations() -> str:
    """Say what could not be registered."""
    return "\n".join(refused)


REQUESTS.append(("tools/call", {"name": "registrations"}))
