"""Prompts: arguments, messages in every form, and failures."""

from typing import *

from mcp.types import EmbeddedResource, ImageContent, PromptMessage, TextContent, TextResourceContents
from pydantic import Field
from sdk import SDK, Context, FastMCP
from table import ABSENT, function, lines

if SDK == "mcp":
    from mcp.server.fastmcp.prompts import base
    from mcp.server.fastmcp.prompts.base import AssistantMessage, Message, UserMessage
else:
    from fastmcp.prompts import Message

    def UserMessage(content):
        return Message(content, role="user")

    def AssistantMessage(content):
        return Message(content, role="assistant")


mcp = FastMCP("prompts")
attempts = []


def attempt(what, function):
    """Note what a registration says."""
    try:
        function()
        attempts.append(f"{what}: fine")
    except Exception as error:
        attempts.append(f"{what}: {type(error).__name__}: {error}")


text = TextContent(type="text", text="block")
image = ImageContent(type="image", data="aWQ=", mimeType="image/png")
embedded = EmbeddedResource(
    type="resource", resource=TextResourceContents(uri="test://a", text="t", mimeType="text/plain")
)
RETURNS = """
    "text"
    ""
    ["one", "two"]
    ("one", "two")
    []
    None
    5
    {"a": 1}
    {"role": "user", "content": "words"}
    {"role": "assistant", "content": {"type": "text", "text": "words"}}
    {"role": "user"}
    {"role": "system", "content": "words"}
    [{"role": "user", "content": "words"}, "more"]
    UserMessage("words")
    AssistantMessage("words")
    [UserMessage("a"), AssistantMessage("b"), UserMessage("c")]
    UserMessage(text)
    UserMessage(image)
    UserMessage(embedded)
    [UserMessage(image), "caption"]
    PromptMessage(role="user", content=text)
    [PromptMessage(role="assistant", content=text)]
    text
    [1, None]
    1 / 0
"""
ARGUMENTS = """
    a: str
    a: str = "d"
    a: int
    a: int = 3
    a: Optional[str] = None
    a: str | None = None
    a: list[int]
    a: dict[str, int] = {}
    a: bool = False
    a: float
    a
    a=1
    a: Annotated[str, Field(description="Words")]
    a: Annotated[int, Field(description="A number", ge=1)]
    a: str = Field(description="Words")
    a: str = Field("d", description="Words")
    a: Literal["x", "y"]
    a: str, b: int = 2
    a: Any
"""
returned = []
for number, line in enumerate(lines(RETURNS)):
    mcp.prompt()(function(f"r{number}", ("", ""), f"return {line}", globals()))
    returned.append(f"r{number}")
taking = []
for number, line in enumerate(lines(ARGUMENTS)):
    body = "return '; '.join(f'{k}={v!r}' for k, v in locals().items())"
    made = function(f"a{number}", (line, ""), body, globals())
    attempt(line, lambda: mcp.prompt()(made))
    taking.append(f"a{number}")


@mcp.prompt()
def documented(topic: str) -> str:
    """First line.

        An indented line.
    """
    return f"About {topic}"


@mcp.prompt(name="renamed", title="A title", description="Other words")
def original() -> str:
    """Own words."""
    return "renamed"


@mcp.prompt()
async def waiting(topic: str) -> list[Message]:
    return [UserMessage(f"About {topic}")]


@mcp.prompt()
def with_context(topic: str, ctx: Context) -> str:
    """Knows its request."""
    return f"{topic} {ctx.request_id.isdigit()}"


@mcp.prompt("positional")
def by_position() -> str:
    return "positional"


class Holder:
    def method(self, a: str) -> str:
        """A method."""
        return a


def starred(*args):
    return ""


def keyed(**kwargs):
    return ""


mcp.prompt()(Holder().method)
attempt("lambda", lambda: mcp.prompt()(lambda a: a))
attempt("named lambda", lambda: mcp.prompt(name="lambda_prompt")(lambda a: a))
attempt("again", lambda: mcp.prompt(name="renamed")(lambda: "second"))
attempt("args", lambda: mcp.prompt()(starred))
attempt("kwargs", lambda: mcp.prompt()(keyed))


@mcp.tool()
def registrations() -> list[str]:
    """Say what came of registrations."""
    return attempts


def get(name, arguments=ABSENT):
    """Return the request that renders a prompt."""
    given = {} if arguments is ABSENT else {"arguments": arguments}
    return ("prompts/get", {"name": name, **given})


VALUES = ["words", "5", "1.5", "true", "null", "[1, 2]", '{"k": 1}', "x", ""]
REQUESTS = [
    ("prompts/list", {}),
    *[get(name) for name in returned],
    *[get(name) for name in taking],
    *[get(name, {"a": value}) for name in taking for value in VALUES],
    get("a17", {"a": "x", "b": "5"}),
    get("a17", {"a": "x", "c": "5"}),
    get("documented", {"topic": "tea"}),
    get("documented", {}),
    get("documented", {"other": "tea"}),
    get("renamed"),
    get("original"),
    get("waiting", {"topic": "tea"}),
    get("with_context", {"topic": "tea"}),
    get("with_context", {"ctx": "tea"}),
    get("positional"),
    get("method", {"a": "b"}),
    get("lambda_prompt", {"a": "b"}),
    get("no such prompt"),
    ("tools/call", {"name": "registrations"}),
]
