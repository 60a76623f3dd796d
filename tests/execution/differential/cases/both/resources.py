"""Resources and templates: how they are listed, matched, read, and how they fail."""

import datetime
import json

from mcp.types import Annotations
from sdk import SDK, Context, FastMCP

mcp = FastMCP("resources")
attempts = []


def attempt(what, function):
    """Note what a registration says."""
    try:
        function()
        attempts.append(f"{what}: fine")
    except Exception as error:
        attempts.append(f"{what}: {type(error).__name__}: {error}")


@mcp.resource("test://text")
def text() -> str:
    """A text."""
    return "text"


@mcp.resource("test://undocumented")
def undocumented():
    return "nothing said"


@mcp.resource("test://bytes")
def some_bytes() -> bytes:
    """Bytes."""
    return b"\x00\xff"


@mcp.resource("test://typed-bytes", mime_type="image/png")
def typed_bytes():
    return b"png"


@mcp.resource("test://json", mime_type="application/json")
def as_json():
    return {"a": 1, "b": [1, 2, None]}


@mcp.resource("test://list")
def as_list():
    return ["a", 1]


@mcp.resource("test://number")
def number():
    return 5


@mcp.resource("test://date")
def date():
    return {"when": datetime.date(2025, 1, 2)}


@mcp.resource("test://nothing")
def nothing():
    return None


@mcp.resource("test://text-json")
def text_json() -> str:
    return json.dumps({"a": 1})


@mcp.resource("test://named", name="a name", title="A title", description="Other words")
def named():
    """Own words."""
    return "named"


@mcp.resource("test://annotated", annotations=Annotations(audience=["user"], priority=1))
def annotated():
    return "annotated"


@mcp.resource("test://meta", meta={"a": 1})
def with_meta():
    return "meta"


@mcp.resource("test://failing")
def failing():
    raise ValueError("not today")


@mcp.resource("test://waiting")
async def waiting():
    return "waited"


@mcp.resource("https://example.com/Page?q=1#part")
def page():
    return "page"


@mcp.resource("data://config")
def config():
    return "config"


@mcp.resource("file:///etc/hosts")
def file():
    return "file"


@mcp.resource("UPPER://Host/Path")
def upper():
    return "upper"


@mcp.resource("test://context/only")
def with_context(ctx: Context) -> str:
    return f"request {ctx.request_id.isdigit()}"


@mcp.resource("test://user/{name}")
def user(name: str) -> str:
    """A user."""
    return f"user {name!r}"


@mcp.resource("test://item/{item_id}/part/{part}")
async def part(item_id: int, part: str):
    return f"{type(item_id).__name__} {item_id!r} {part!r}"


@mcp.resource("test://flag/{on}", name="flag", mime_type="application/json")
def flag(on: bool):
    return {"on": on}


@mcp.resource("test://ratio/{value}")
def ratio(value: float):
    return str(value)


@mcp.resource("test://context/{key}/with")
def keyed_context(key: str, ctx: Context):
    return f"{key} {ctx.request_id.isdigit()}"


@mcp.resource("test://breaking/{name}")
def breaking(name: str):
    raise RuntimeError(f"no {name}")


@mcp.resource("{scheme}://any")
def any_scheme(scheme: str):
    return scheme


@mcp.resource("test://untyped/{a}-{b}")
def untyped(a, b):
    return [a, b]


def no_parameters():
    return 1


def one_parameter(a: str):
    return a


def default_parameter(a: str = "d"):
    return a


attempt("missing in function", lambda: mcp.resource("bad://{a}")(no_parameters))
attempt("missing in address", lambda: mcp.resource("bad://b")(one_parameter))
attempt("other name", lambda: mcp.resource("bad://{b}/c")(one_parameter))
attempt("default", lambda: mcp.resource("bad://d")(default_parameter))
attempt("no call", lambda: mcp.resource(one_parameter))
attempt("no address", lambda: mcp.resource("not an address")(no_parameters))
attempt("empty", lambda: mcp.resource("")(no_parameters))
attempt("twice", lambda: mcp.resource("test://text")(no_parameters))
attempt("template twice", lambda: mcp.resource("test://user/{a}")(one_parameter))


@mcp.tool()
def registrations() -> list[str]:
    """Say what came of registrations."""
    return attempts


@mcp.tool()
async def reading(uri: str, ctx: Context) -> str:
    """Read a resource from within a tool."""
    found = [*await ctx.read_resource(uri)]
    return "; ".join(f"{item.content!r} {item.mime_type}" for item in found)


def read(uri):
    """Return the request that reads a resource."""
    return ("resources/read", {"uri": uri})


REQUESTS = [
    ("resources/list", {}),
    ("resources/templates/list", {}),
    *[
        read(f"test://{name}")
        for name in (
            "text undocumented bytes typed-bytes json list number date nothing text-json named "
            "annotated meta failing waiting context/only user/ada user/ada%20b user/a/b user/ "
            "item/5/part/x item/five/part/x item/5/part/ flag/true flag/no flag/x ratio/1.5 ratio/x "
            "context/a/with breaking/luck untyped/1-2 untyped/1-2-3 missing TEXT text/ text?a=1 "
            "user/é user/%C3%A9 user/a?b=c user/a#b"
        ).split()
    ],
    read("https://example.com/Page?q=1#part"),
    read("https://EXAMPLE.com/Page?q=1#part"),
    read("https://example.com/page"),
    read("data://config"),
    read("file:///etc/hosts"),
    read("upper://Host/Path"),
    read("UPPER://Host/Path"),
    read("some://any"),
    read("nowhere://else"),
    ("tools/call", {"name": "reading", "arguments": {"uri": "test://text"}}),
    ("tools/call", {"name": "reading", "arguments": {"uri": "test://bytes"}}),
    ("tools/call", {"name": "reading", "arguments": {"uri": "test://user/x"}}),
    ("tools/call", {"name": "reading", "arguments": {"uri": "test://missing"}}),
    ("tools/call", {"name": "reading", "arguments": {"uri": "test://failing"}}),
    ("tools/call", {"name": "registrations"}),
]
