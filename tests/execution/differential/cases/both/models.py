"""Parameters that are models, with fields, validators, aliases and unions of models."""

import enum
from typing import *

from pydantic import BaseModel, ConfigDict, Field, RootModel, field_validator, model_validator
from sdk import FastMCP
from table import ABSENT, calls, parameter_tools, shown

mcp = FastMCP("models")


class Kind(str, enum.Enum):
    """Which kind."""

    CAT = "cat"
    DOG = "dog"


class Inner(BaseModel):
    a: int
    b: Optional[str] = None


class Outer(BaseModel):
    """A model with others inside."""

    name: str = Field(description="The name")
    inner: Inner
    many: list[Inner] = []
    by_name: dict[str, Inner] = Field(default_factory=dict)
    kind: Kind = Kind.CAT


class Bounded(BaseModel):
    count: int = Field(ge=1, le=3, description="How many")
    ratio: float = Field(0.5, gt=0)
    word: str = Field("ab", min_length=2, pattern="^[a-z]+$")


class Aliased(BaseModel):
    my_field: int = Field(alias="myField")
    other: str = Field("x", validation_alias="otherField")


class Named(BaseModel):
    model_config = ConfigDict(populate_by_name=True)
    my_field: int = Field(alias="myField")


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")
    a: int = 1


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    a: int = 1


class Checked(BaseModel):
    low: int
    high: int

    @field_validator("low")
    @classmethod
    def positive(cls, value):
        if value < 0:
            raise ValueError("must not be negative")
        return value

    @model_validator(mode="after")
    def ordered(self):
        if self.low > self.high:
            raise ValueError("low is above high")
        return self


class Cat(BaseModel):
    type: Literal["cat"]
    lives: int = 9


class Dog(BaseModel):
    type: Literal["dog"]
    tricks: list[str]


class Node(BaseModel):
    value: int
    next: Optional["Node"] = None


class Names(RootModel[list[str]]):
    pass


class Derived(Inner):
    """A model that inherits."""

    c: float = 1.5


T = TypeVar("T")


class Box(BaseModel, Generic[T]):
    content: T


class Titled(BaseModel):
    model_config = ConfigDict(title="Chosen", json_schema_extra={"examples": [{"a": 1}]})
    a: int = Field(1, title="The A", examples=[1])


TABLE = """
    x: Inner
    x: Inner = Inner(a=1)
    x: Optional[Inner] = None
    x: Inner | None
    x: list[Inner]
    x: list[Inner] = []
    x: dict[str, Inner]
    x: Outer
    x: Bounded
    x: Aliased
    x: Named
    x: Strict
    x: Open
    x: Checked
    x: Cat | Dog
    x: Annotated[Cat | Dog, Field(discriminator="type")]
    x: list[Annotated[Cat | Dog, Field(discriminator="type")]]
    x: Node
    x: Names
    x: Derived
    x: Box[int]
    x: Box[Inner]
    x: Titled
    x: Kind
    x: Annotated[Inner, Field(description="Described")]
    x: Inner = Field(default_factory=lambda: Inner(a=5))
    x: Inner | str
    x: Union[str, Inner]
    x: int | Inner
    x: tuple[Inner, int]
    x: Inner, y: Inner
    x: type[Inner]
"""
made, refused = parameter_tools(mcp, TABLE, globals())
VALUES = [
    ABSENT, None, 1, "text", "{}", '{"a": 1}', '{"a": "x"}', [], {}, {"a": 1}, {"a": "2", "b": "c"},
    {"a": 1, "z": 2}, {"a": "x"}, {"b": 1}, {"name": "n", "inner": {"a": 1}},
    {"name": "n", "inner": {"a": "x"}, "many": [{"a": 1}, {"b": 2}], "kind": "bird"},
    {"name": "n", "inner": {"a": 1}, "many": [{"a": 2}], "by_name": {"k": {"a": 3}}, "kind": "dog"},
    {"count": 2}, {"count": 5, "ratio": 0, "word": "A"}, {"myField": 1}, {"my_field": 2},
    {"myField": 1, "otherField": "o"}, {"low": 1, "high": 2}, {"low": -1, "high": 2},
    {"low": 3, "high": 2}, {"type": "cat"}, {"type": "dog"}, {"type": "dog", "tricks": ["sit"]},
    {"type": "bird"}, {"lives": 1}, {"value": 1, "next": {"value": 2}}, {"value": 1, "next": {}},
    ["a", "b"], [{"a": 1}], [{"a": "x"}, {}], [{"type": "cat"}], {"content": 1}, {"content": {"a": 1}},
    [{"a": 1}, 2], {"k": {"a": 1}},
]  # fmt: skip
REQUESTS = [
    ("tools/list", {}),
    *calls(made, VALUES),
    ("tools/call", {"name": "p30", "arguments": {"x": {"a": 1}, "y": {"a": "x"}}}),
]


@mcp.tool()
def registrations() -> str:
    """Say what could not be registered."""
    return "\n".join(refused)


REQUESTS.append(("tools/call", {"name": "registrations"}))
