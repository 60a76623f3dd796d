"""What SDK 2 has of its own: failures that are told and failures that are not, content, prompts."""

from typing import *

from mcp.server.mcpserver import Audio, Context, Image, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from mcp.server.mcpserver.prompts.base import AssistantMessage, Message, UserMessage
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolResult, EmbeddedResource, TextContent, TextResourceContents
from pydantic import BaseModel, Field
from table import call

mcp = MCPServer(
    "modern", title="Modern", description="A server", instructions="Use it", version="7.8.9"
)
BLOCK = TextContent(type="text", text="block")


class Point(BaseModel):
    x: int
    long_name: str = Field("n", alias="longName")


def failing(name, error):
    """Register a tool, a resource, a template and a prompt that raise an error."""

    def fails():
        raise error

    def fails_with(key: str):
        raise error

    mcp.tool(name=name)(fails)
    mcp.resource(f"fail://{name}", name=name)(fails)
    mcp.resource(f"fail://{name}/{{key}}", name=f"{name}_template")(fails_with)
    mcp.prompt(name=name)(fails)


FAILURES = {
    "told": ToolError("told"),
    "resource": ResourceError("resource told"),
    "value": ValueError("secret"),
    "protocol": MCPError(code=-5, message="protocol", data={"a": 1}),
    "empty": RuntimeError(),
}
for name, error in FAILURES.items():
    failing(name, error)


@mcp.tool()
def block() -> TextContent:
    return BLOCK


@mcp.tool()
def blocks() -> list[TextContent | EmbeddedResource]:
    contents = TextResourceContents(uri="test://a", text="t")
    return [BLOCK, EmbeddedResource(type="resource", resource=contents)]


@mcp.tool()
def maybe() -> TextContent | None:
    return None


@mcp.tool()
def either() -> str | TextContent:
    return "text"


@mcp.tool()
def pair() -> tuple[TextContent, TextContent]:
    return BLOCK, BLOCK


@mcp.tool()
def picture() -> Image:
    return Image(data=b"x", format="png")


@mcp.tool()
def sound() -> list[Audio]:
    return [Audio(data=b"x")]


@mcp.tool(structured_output=True)
def wanted() -> TextContent:
    return BLOCK


@mcp.tool(structured_output=False)
def unwanted() -> dict[str, int]:
    return {"a": 1}


@mcp.tool(title="Point", meta={"m": 1})
def point(x: int = 1) -> Point:
    """Makes a point."""
    return Point(x=x)


@mcp.tool()
def wrong() -> int:
    return "no number"


@mcp.tool()
def own() -> CallToolResult:
    return CallToolResult(content=[BLOCK], is_error=True)


@mcp.tool()
async def reads(uri: str, ctx: Context) -> str:
    found = list(await ctx.read_resource(uri))
    return f"{found[0].content} {found[0].mime_type}"


@mcp.tool()
async def context(ctx: Context) -> str:
    await ctx.info("words")
    await ctx.report_progress(1, 2)
    return type(ctx.request_id).__name__


@mcp.resource("data://plain")
def plain() -> str:
    """Plain."""
    return "plain"


@mcp.resource("data://{key}/item", mime_type="application/json")
def item(key: str) -> dict:
    return {"key": key}


@mcp.prompt(title="Hello")
def hello(name: str, times: int = 1) -> list[Message]:
    """Says hello."""
    return [UserMessage(f"Hello {name} {times!r}"), AssistantMessage("Hi")]


@mcp.prompt()
def shown() -> TextContent:
    return BLOCK


@mcp.prompt()
def pictured() -> list:
    return ["See", Image(data=b"x", format="png")]


@mcp.prompt()
def dictionary() -> dict:
    return {"role": "assistant", "content": "words"}


@mcp.prompt()
def shapeless() -> dict:
    return {"a": 1}


NAMES = list(FAILURES)
REQUESTS = [
    ("tools/list", {}),
    ("resources/list", {}),
    ("resources/templates/list", {}),
    ("prompts/list", {}),
    *[
        call(name)
        for name in (
            *NAMES, "block", "blocks", "maybe", "either", "pair", "picture", "sound", "wanted",
            "unwanted", "point", "wrong", "own", "context", "none",
        )
    ],
    call("point", x="5"),
    call("point", x="five"),
    *[call("reads", uri=uri) for uri in ("data://plain", "data://k/item")],
    *[call("reads", uri=f"fail://{name}") for name in NAMES],
    *[("resources/read", {"uri": f"fail://{name}"}) for name in NAMES],
    *[("resources/read", {"uri": f"fail://{name}/k"}) for name in NAMES],
    *[("resources/read", {"uri": uri}) for uri in ("data://plain", "data://k/item", "data://none")],
    *[("prompts/get", {"name": name}) for name in (*NAMES, "shown", "pictured", "dictionary")],
    ("prompts/get", {"name": "shapeless"}),
    ("prompts/get", {"name": "hello", "arguments": {"name": "Ada", "times": "3"}}),
    ("prompts/get", {"name": "hello", "arguments": {"name": "Ada", "times": "x"}}),
    ("prompts/get", {"name": "hello"}),
    ("prompts/get", {"name": "none"}),
]  # fmt: skip
