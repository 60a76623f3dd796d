"""Parameters with descriptions, defaults and bounds, by `Field` and `Annotated`."""

from typing import *

from pydantic import Field
from sdk import FastMCP
from table import ABSENT, calls, parameter_tools, shown

mcp = FastMCP("constraints")

TABLE = """
    x: Annotated[int, Field(description="A number")]
    x: Annotated[int, Field(description="A number")] = 4
    x: Annotated[int, "A number"]
    x: Annotated[str, "A text", 3]
    x: Annotated[int, Field(ge=0)]
    x: Annotated[int, Field(gt=0, lt=10)]
    x: Annotated[int, Field(ge=1, le=5, description="Between")] = 3
    x: Annotated[int, Field(multiple_of=5)]
    x: Annotated[float, Field(ge=0.5, le=1)]
    x: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    x: Annotated[str, Field(min_length=2)]
    x: Annotated[str, Field(max_length=3)]
    x: Annotated[str, Field(min_length=1, max_length=2)]
    x: Annotated[str, Field(pattern="^[a-z]+$")]
    x: Annotated[str, Field(pattern=r"\\d{2}")] = "12"
    x: Annotated[list[int], Field(min_length=1)]
    x: Annotated[list[int], Field(max_length=2)] = []
    x: Annotated[list[str], Field(min_length=1, max_length=2)]
    x: Annotated[dict[str, int], Field(min_length=1)]
    x: Annotated[set[int], Field(max_length=2)]
    x: Annotated[Optional[int], Field(ge=0)] = None
    x: Annotated[int | None, Field(description="May be absent")] = None
    x: Annotated[str | None, Field(max_length=2)] = None
    x: Annotated[Optional[str], Field(description="May be absent", default=None)]
    x: Annotated[Literal["a", "b"], Field(description="Choice")] = "a"
    x: Annotated[int, Field(title="Chosen title")]
    x: Annotated[int, Field(examples=[1, 2])]
    x: Annotated[int, Field(deprecated=True)]
    x: Annotated[int, Field(json_schema_extra={"format": "special"})]
    x: Annotated[int, Field(default=5)]
    x: Annotated[int, Field(alias="other")]
    x: Annotated[int, Field(alias="other")] = 2
    x: Annotated[int, Field(validation_alias="other")]
    x: Annotated[int, Field(strict=True)]
    x: Annotated[bool, Field(strict=True)]
    x: Annotated[str, Field(strict=True)]
    x: Annotated[Annotated[int, Field(ge=1)], Field(le=5)]
    x: list[Annotated[int, Field(ge=0)]]
    x: dict[str, Annotated[int, Field(ge=0)]]
    x: Optional[Annotated[int, Field(ge=0)]] = None
    x: Annotated[int, Field(ge=0)] | str
    x: int = Field(5)
    x: int = Field(5, ge=1)
    x: int = Field(default=5, description="A number")
    x: int = Field(..., description="A number")
    x: int = Field(description="A number")
    x: int = Field(ge=0, le=10)
    x: str = Field("a", min_length=1, max_length=3)
    x: str = Field(default="abc", pattern="^a")
    x: Optional[int] = Field(None, description="May be absent", ge=1)
    x: Optional[str] = Field(default=None, max_length=3)
    x: list[int] = Field(default_factory=list)
    x: list[str] = Field(default_factory=list, description="Some", max_length=1)
    x: dict = Field(default_factory=dict)
    x: bool = Field(False, description="Switch")
    x: float = Field(0.5, gt=0, lt=1)
    x: Literal["a", "b"] = Field("a", description="Choice")
    x: int = Field(1, title="Chosen title")
    x: int = Field(1, examples=[3])
    x: int = Field(alias="other")
    x: int = Field(1, alias="other")
    x: str = Field("a", json_schema_extra={"enum": ["a", "b"]})
    x: int = Field("7", validate_default=True)
    x: str = Field("a", strip_whitespace=True)
    x=Field(3, description="Untyped")
    x: Annotated[int, Field(description="First")] = Field(2, description="Second")
    x: Annotated[str, Field(description="A text that\\nhas two lines")]
    x: Annotated[Any, Field(description="Anything")] = None
    x: Annotated[str, Field(description="")] = ""
    x: Annotated[int, Field(gt=0)], y: Annotated[int, Field(gt=0)] = 1
"""
made, refused = parameter_tools(mcp, TABLE, globals())
VALUES = [ABSENT, 1, 7, 10, -1, 0.75, "1", "a", "ab", "abcd", "  ", "12", True, None,
          [], [1], [1, 2, 3], ["a"], [-1], {}, {"a": 1}, {"a": -1}]  # fmt: skip
REQUESTS = [
    ("tools/list", {}),
    *calls(made, VALUES),
    *[
        ("tools/call", {"name": name, "arguments": {"other": value}})
        for name, _ in made[30:33]
        for value in (1, "x")
    ],
    ("tools/call", {"name": "p69", "arguments": {"x": 0, "y": 0}}),
]


@mcp.tool()
def registrations() -> str:
    """Say what could not be registered."""
    return "\n".join(refused)


REQUESTS.append(("tools/call", {"name": "registrations"}))
