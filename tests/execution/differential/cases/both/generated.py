"""Signatures, values and results that nobody thought of: made by a generator from a fixed seed."""

import dataclasses
import datetime
import enum
import json
import random
from typing import *

from pydantic import BaseModel, Field
from sdk import FastMCP
from table import call, function, shown

mcp = FastMCP("generated")
SEED, TOOLS, CALLS, RETURNS = 20251125, 260, 4, 200
dice = random.Random(SEED)


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Item(BaseModel):
    name: str
    count: int = 1
    tags: list[str] = []


class Box(BaseModel):
    item: Item
    other: Optional[Item] = None
    by_key: dict[str, int] = Field(default_factory=dict)


@dataclasses.dataclass
class Point:
    x: int
    y: float = 0.5


class Film(TypedDict):
    title: str
    year: NotRequired[int]


LEAVES = [
    "str", "int", "float", "bool", "Any", "dict", "list", "Item", "Box", "Point", "Film", "Colour",
    "Literal['a', 'b']", "Literal[1, 'x']", "datetime.date", "None", "bytes", "dict[str, Any]",
]  # fmt: skip
WORDS = ["a", "b", "red", "5", "2.5", "true", "", "2025-01-02", "[1]", '{"name": "n"}', "x y"]


def annotation(depth=0):
    """Return the text of an annotation."""
    kind = dice.random()
    if depth > 2 or kind < 0.45:
        return dice.choice(LEAVES)
    inner = annotation(depth + 1)
    if kind < 0.55:
        return f"list[{inner}]"
    if kind < 0.63:
        return f"dict[str, {inner}]"
    if kind < 0.72:
        return f"Optional[{inner}]"
    if kind < 0.84:
        other = annotation(depth + 1)
        return f"Union[{inner}, {other}]"
    if kind < 0.9:
        other = annotation(depth + 1)
        return f"tuple[{inner}, {other}]" if dice.random() < 0.5 else f"tuple[{inner}, ...]"
    if kind < 0.95:
        return f"Annotated[{inner}, Field(description={dice.choice(WORDS)!r})]"
    bound = dice.choice(["ge=1", "le=5", "gt=0, lt=3"])
    return f"Annotated[{dice.choice(['int', 'float'])}, Field({bound})]"


def scalar():
    """Return any JSON value that is no container."""
    return dice.choice([0, 1, 2, 7, -3, 2.5, -0.5, True, False, None, *WORDS])


def fields(kind):
    """Return an object like those of a class, maybe with a fault."""
    made = {
        "Item": {"name": "n", "count": dice.choice([1, "2", "x"]), "tags": dice.choice([[], ["t"]])},
        "Box": {"item": {"name": "m"}, "other": dice.choice([None, {"name": "o"}, 5])},
        "Point": {"x": dice.choice([1, "1", "x"]), "y": dice.choice([1.5, "2"])},
        "Film": {"title": "t", "year": dice.choice([1999, "x"])},
    }[kind]
    if dice.random() < 0.3:
        made.pop(dice.choice(list(made)))
    if dice.random() < 0.2:
        made["extra"] = scalar()
    return made


def value(text, depth=0):
    """Return a JSON value that often fits an annotation."""
    if dice.random() < 0.12:
        return anything()
    for name in ("Item", "Box", "Point", "Film"):
        if text == name:
            return fields(name)
    if text.startswith("Optional[") and dice.random() < 0.3:
        return None
    if text.startswith(("list[", "tuple[")):
        inner = parts(text)
        if text.startswith("tuple[") and inner[-1] != "...":
            return [value(item, depth + 1) for item in inner]
        return [value(inner[0], depth + 1) for _ in range(dice.randrange(3))]
    if text.startswith("dict[str, "):
        return {key: value(parts(text)[1], depth + 1) for key in ("k", "l")[: dice.randrange(3)]}
    if text.startswith(("Optional[", "Annotated[")):
        return value(parts(text)[0], depth + 1)
    if text.startswith("Union["):
        return value(dice.choice(parts(text)), depth + 1)
    plain = {
        "str": WORDS, "bytes": WORDS, "int": [1, 2, -3, "5"], "float": [0.5, 2, "2.5"],
        "bool": [True, False, "true"], "dict": [{}, {"a": 1}], "list": [[], [1, "a"]],
        "Colour": ["red", "blue", "green"], "datetime.date": ["2025-01-02", "2025-13-02"],
        "None": [None], "dict[str, Any]": [{}, {"a": [1]}],
    }  # fmt: skip
    if text.startswith("Literal"):
        return dice.choice(["a", "b", 1, "x", "c"])
    return dice.choice(plain[text]) if text in plain else anything()


def anything(depth=0):
    """Return any JSON value."""
    if depth > 1 or dice.random() < 0.6:
        return scalar()
    if dice.random() < 0.5:
        return [anything(depth + 1) for _ in range(dice.randrange(3))]
    return {key: anything(depth + 1) for key in ("a", "name")[: dice.randrange(3)]}


def parts(text):
    """Return the arguments between the outer brackets of an annotation."""
    found, level, start = [], 0, text.index("[") + 1
    for index in range(start, len(text)):
        character = text[index]
        if character in "[({":
            level += 1
        elif character in "])}" and level:
            level -= 1
        elif level == 0 and character in ",]":
            found.append(text[start:index].strip())
            start = index + 1
    return found


def default(text):
    """Return the text of a default value, or nothing."""
    if dice.random() < 0.6:
        return ""
    simple = {"int": "3", "str": "'d'", "float": "0.5", "bool": "True", "Colour": "Colour.RED"}
    return f" = {simple.get(text, 'None')}"


refused, REQUESTS = [], [("tools/list", {})]
for number in range(TOOLS):
    names = ("x", "second_one", "z")[: 1 + dice.randrange(3)]
    made = [(name, annotation()) for name in names]
    told = [f"{name}: {text}{default(text)}" for name, text in made]
    line = ", ".join(sorted(told, key=lambda item: " = " in item))
    try:
        mcp.tool()(function(f"g{number}", (line, ""), "return shown(locals())", globals()))
    except Exception as error:
        refused.append(f"{line}: {type(error).__name__}")
    for _ in range(CALLS):
        arguments = {name: value(text) for name, text in made if dice.random() < 0.9}
        REQUESTS.append(call(f"g{number}", **arguments))
for number in range(RETURNS):
    text = annotation()
    returned = value(text)
    line = f" -> {text}"
    try:
        mcp.tool()(function(f"r{number}", ("", line), f"return {returned!r}", globals()))
    except Exception as error:
        refused.append(f"{line}: {type(error).__name__}")
    REQUESTS.append(call(f"r{number}"))


@mcp.tool()
def registrations() -> str:
    """Say what could not be registered."""
    return "\n".join(refused)


REQUESTS.append(call("registrations"))
