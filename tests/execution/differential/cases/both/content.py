"""Content blocks, media, errors and results that tools make themselves."""

import base64
from typing import *

from mcp.types import (
    Annotations,
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
    ToolAnnotations,
)
from sdk import SDK, FastMCP, Image
from table import call, return_tools

if SDK == "mcp":
    from mcp.server.fastmcp import Audio
    from mcp.server.fastmcp.exceptions import ToolError
else:
    from fastmcp.exceptions import ToolError
    from fastmcp.utilities.types import Audio, File

mcp = FastMCP("content")

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
)
text = TextContent(type="text", text="block")
image = ImageContent(type="image", data="aWQ=", mimeType="image/png")
audio = AudioContent(type="audio", data="aWQ=", mimeType="audio/wav")
link = ResourceLink(type="resource_link", uri="test://a", name="a", description="d", size=3)
embedded = EmbeddedResource(
    type="resource", resource=TextResourceContents(uri="test://a", text="t", mimeType="text/plain")
)
binary = EmbeddedResource(type="resource", resource=BlobResourceContents(uri="test://b", blob="aWQ="))
noted = TextContent(
    type="text",
    text="noted",
    annotations=Annotations(audience=["user"], priority=0.5),
    _meta={"a": 1},
)

TABLE = """
    - => text
    - => image
    - => audio
    - => link
    - => embedded
    - => binary
    - => noted
    - => [text, image]
    - => [text, "plain", 5, {"a": 1}]
    - => (text, image)
    - => [[text], [image]]
    - => {"block": text}
    - => Image(data=PIXEL, format="png")
    - => Image(data=b"x")
    - => Image(data=b"x", format="JPEG")
    - => Image(data=b"x", format="svg+xml")
    - => [Image(data=b"x"), "caption"]
    - => ["caption", Image(data=b"x"), {"a": 1}]
    - => [Image(data=b"x"), Image(data=b"y")]
    - => Audio(data=b"x")
    - => Audio(data=b"x", format="mp3")
    - => [Audio(data=b"x"), text]
    - => Image(path="missing.png")
    - => Image()
    - => Image(path="a.png", data=b"x")
    - => CallToolResult(content=[text])
    - => CallToolResult(content=[text], isError=True)
    - => CallToolResult(content=[text, image], structuredContent={"a": 1})
    - => CallToolResult(content=[], _meta={"a": 1})
    TextContent => text
    ImageContent => image
    AudioContent => audio
    ResourceLink => link
    EmbeddedResource => embedded
    Image => Image(data=b"x")
    Audio => Audio(data=b"x")
    list[TextContent] => [text, text]
    list[TextContent] => []
    list[ImageContent] => [image]
    list[TextContent | ImageContent] => [text, image]
    List[TextContent] => [text]
    list => [text, image]
    list[Any] => [text, 5]
    Sequence[TextContent] => [text]
    tuple[TextContent, ImageContent] => (text, image)
    Optional[TextContent] => text
    Optional[TextContent] => None
    TextContent | str => "plain"
    dict => {"a": 1}
    str => text
    CallToolResult => CallToolResult(content=[text])
    CallToolResult => CallToolResult(content=[text], structuredContent={"a": 1}, isError=True)
    Annotated[CallToolResult, "words"] => CallToolResult(content=[text])
    Annotated[CallToolResult, Shape] => CallToolResult(content=[text], structuredContent={"a": 1})
    Annotated[CallToolResult, Shape] => CallToolResult(content=[text], structuredContent={"a": "x"})
    - => fail(ToolError("told"))
    - => fail(ToolError(""))
    - => fail(ValueError("a value"))
    - => fail(KeyError("a key"))
    - => fail(RuntimeError())
    - => fail(ZeroDivisionError("by zero"))
    - => fail(Exception("two\\nlines"))
    - => fail(NotImplementedError("not yet"))
    - => fail(TimeoutError("late"))
    - => fail(FileNotFoundError(2, "No such file", "a.txt"))
    - => fail(StopIteration("stop"))
    - => fail(AssertionError())
    - => fail(UnicodeDecodeError("utf-8", b"a", 0, 1, "bad"))
    - => fail(Custom("own"))
    str => fail(ToolError("told under str"))
    int => 1 // 0
    - => undefined_name
"""


class Custom(Exception):
    def __str__(self):
        return f"custom {self.args[0]}"


class Shape(TypedDict):
    a: int


def fail(error):
    """Raise an error where an expression is wanted."""
    raise error


made, refused = return_tools(mcp, TABLE, globals())


@mcp.tool(title="A title")
def titled():
    return 1


@mcp.tool(annotations=ToolAnnotations(title="Hinted", readOnlyHint=True, openWorldHint=False))
def hinted():
    """Has hints."""
    return 1


@mcp.tool(name="renamed", description="Other words")
def original():
    """Own words."""
    return 1


@mcp.tool(description="")
def silent():
    """Own words."""
    return 1


@mcp.tool(meta={"a": {"b": 1}})
def with_meta():
    return 1


@mcp.tool()
def documented(a: int, b: str = "x") -> str:
    """First line.

        An indented line.
    Args:
        a: a number
    """
    return "done"


@mcp.tool()
async def waiting(seconds: float = 0) -> str:
    import asyncio

    await asyncio.sleep(seconds)
    return "waited"


@mcp.tool()
async def failing_later():
    import asyncio

    await asyncio.sleep(0)
    raise ValueError("later")


class Callable_:
    """Words of the class."""

    def __call__(self, a: int) -> int:
        """Words of the call."""
        return a


class Holder:
    @staticmethod
    def static(a: int) -> int:
        """A static method."""
        return a

    @classmethod
    def made(cls, a: int) -> str:
        """A class method."""
        return f"{cls.__name__} {a}"

    def bound(self, a: int = 1) -> int:
        """A bound method."""
        return a


holder = Holder()
mcp.tool()(holder.static)
mcp.tool()(holder.made)
mcp.tool()(holder.bound)
attempts = []


def attempt(what, function):
    """Note what a registration says."""
    try:
        function()
        attempts.append(f"{what}: fine")
    except Exception as error:
        attempts.append(f"{what}: {type(error).__name__}: {error}")


attempt("lambda", lambda: mcp.tool()(lambda a: a))
attempt("lambda with a name", lambda: mcp.tool(name="lambda_tool")(lambda a, b=2: f"{a} {b}"))
attempt("not callable", lambda: mcp.tool()(5))
attempt("again", lambda: mcp.tool()(holder.bound))
attempt("odd name", lambda: mcp.tool(name="a tool/with signs!")(lambda: 1))
attempt("long name", lambda: mcp.tool(name="n" * 130)(lambda: 1))


def starred(*args):
    return args


def keyed(**kwargs):
    return kwargs


def hidden(_secret: int):
    return _secret


attempt("args", lambda: mcp.tool()(starred))
attempt("kwargs", lambda: mcp.tool()(keyed))
attempt("underscore", lambda: mcp.tool()(hidden))


@mcp.tool()
def registrations() -> list[str]:
    """Say what came of registrations."""
    return [*refused, *attempts]


REQUESTS = [
    ("tools/list", {}),
    *[call(name) for name in made],
    call("titled"),
    call("renamed"),
    call("original"),
    call("documented", a=1),
    call("documented", a="x", b=2),
    call("waiting"),
    call("waiting", seconds="0.01"),
    call("failing_later"),
    call("static", a=1),
    call("made", a=1),
    call("bound"),
    call("lambda_tool", a=1),
    call("starred", args=[1]),
    call("keyed", kwargs={"a": 1}),
    call("no such tool"),
    call(""),
    ("tools/call", {"name": "titled"}),
    ("tools/call", {"name": "titled", "arguments": None}),
    ("tools/call", {"name": "documented", "arguments": {}}),
    ("tools/call", {"name": "documented", "arguments": {"a": 1, "unknown": 2, "more": 3}}),
    ("tools/call", {"name": "documented", "arguments": {"a": 1}, "_meta": {"progressToken": 1}}),
    ("ping", {}),
    call("registrations"),
]
