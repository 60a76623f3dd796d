"""Clients of server objects, servers in front of others, tools made of tools."""

import dataclasses
import datetime
from typing import *

import mcp.types as types
from fastmcp import Client, Context, FastMCP
from fastmcp.client.transports import FastMCPTransport, StreamableHttpTransport, infer_transport
from fastmcp.server.proxy import FastMCPProxy, ProxyClient
from fastmcp.tools import Tool
from fastmcp.tools.tool import ToolResult
from fastmcp.tools.tool_transform import (
    ArgTransform,
    ArgTransformConfig,
    ToolTransformConfig,
    forward,
    forward_raw,
)
from mcp.server.fastmcp import FastMCP as Official
from mcp.shared.exceptions import McpError
from mcp.shared.memory import create_connected_server_and_client_session
from pydantic import BaseModel, Field
from table import call

mcp = FastMCP("clients")
inner = FastMCP("inner", instructions="Inner", version="1.2.3")


class Person(BaseModel):
    name: str
    age: int = 3
    friends: list[str] = []


@inner.tool
def add(a: int, b: int = 2) -> int:
    """Adds."""
    return a + b


@inner.tool(tags={"x"}, title="Who", meta={"k": "v"}, annotations={"readOnlyHint": True})
def who(name: str, on: datetime.date | None = None) -> Person:
    """Says who."""
    return Person(name=f"{name} {on}")


@inner.tool
def untyped(x):
    return {"x": x}


@inner.tool
def listed() -> list[int]:
    return [1, 2]


@inner.tool
def named() -> dict[str, int]:
    return {"a": 1}


@inner.tool
def nothing() -> None:
    return None


@inner.tool
def failing(a: int = 1):
    raise ValueError("failed")


@inner.tool
async def tells(ctx: Context) -> str:
    await ctx.info("words", extra={"a": 1})
    await ctx.warning("more", logger_name="own")
    await ctx.report_progress(1, 2, "half")
    await ctx.report_progress(2, 2)
    return "told"


@inner.tool
async def asks(ctx: Context) -> str:
    said = await ctx.sample("Hi", system_prompt="Be brief", max_tokens=5)
    roots = [str(root.uri) for root in await ctx.list_roots()]
    answer = await ctx.elicit("Well?", response_type=int)
    return f"{said.text} {roots} {answer.action} {getattr(answer, 'data', None)}"


@inner.resource("data://plain", title="Plain")
def plain() -> str:
    """Plain."""
    return "plain"


@inner.resource("data://bytes", mime_type="image/png")
def binary() -> bytes:
    return b"\x00\xff"


@inner.resource("data://{key}/value")
def value(key: str) -> str:
    return f"value {key}"


@inner.prompt
def hello(name: str, times: int = 1) -> str:
    """Says hello."""
    return f"Hello {name} {times!r}"


official = Official("official")


@official.tool()
def double(x: int) -> int:
    """Doubles."""
    return 2 * x


def told(error):
    return f"{type(error).__name__}: {error}"


async def attempt(awaitable):
    try:
        return repr(await awaitable)
    except Exception as error:
        return told(error)


@mcp.tool
async def lists() -> list[str]:
    async with Client(inner) as client:
        tools = [tool.model_dump_json(exclude_none=True, by_alias=True) for tool in await client.list_tools()]
        resources = [f"{item.uri} {item.name}" for item in await client.list_resources()]
        templates = [item.uriTemplate for item in await client.list_resource_templates()]
        prompts = [item.name for item in await client.list_prompts()]
        return [*sorted(tools), *resources, *templates, *prompts]


@mcp.tool
async def about() -> list[str]:
    client = Client(inner, name="own")
    said = [str(client.is_connected()), client.name, await attempt(client.ping())]
    try:
        client.session
    except RuntimeError as error:
        said.append(told(error))
    async with client:
        said.append(f"{client.is_connected()} {client.initialize_result.serverInfo.name}")
        said.append(f"{client.initialize_result.serverInfo.version}")
        said.append(f"{client.initialize_result.instructions} {client.initialize_result.protocolVersion}")
        said.append(str(await client.ping()))
        async with client:
            said.append("again")
        said.append(str(client.is_connected()))
        said.append(str(client.new().is_connected()))
    return [*said, str(client.is_connected())]


@mcp.tool
async def data(name: str, arguments: dict[str, Any] = {}) -> str:
    async with Client(inner) as client:
        try:
            result = await client.call_tool(name, arguments)
        except Exception as error:
            return told(error)
        said = result.data
        if dataclasses.is_dataclass(said):
            said = f"dataclass {dataclasses.asdict(said)}"
        texts = [block.text for block in result.content]
        return f"{said!r} {result.structured_content} {texts} {result.is_error}"


@mcp.tool
async def errors() -> list[str]:
    async with Client(inner) as client:
        result = await client.call_tool("failing", {}, raise_on_error=False)
        return [
            f"{result.is_error} {result.data} {result.content[0].text}",
            await attempt(client.call_tool("failing")),
            await attempt(client.call_tool("add", {"a": "x"})),
            (await attempt(client.read_resource("data://none"))).replace("'", ""),
            await attempt(client.get_prompt("hello")),
            (await client.call_tool_mcp("failing", {})).content[0].text,
        ]


@mcp.tool
async def reads() -> list[str]:
    async with Client(inner) as client:
        text = (await client.read_resource("data://plain"))[0]
        blob = (await client.read_resource("data://bytes"))[0]
        made = (await client.read_resource("data://k/value"))[0]
        prompt = await client.get_prompt("hello", {"name": "Ada", "times": 3})
        return [
            f"{text.uri} {text.mimeType} {text.text}", f"{blob.mimeType} {blob.blob}", made.text,
            prompt.messages[0].content.text, str(prompt.description),
        ]  # fmt: skip


@mcp.tool
async def handlers() -> list[str]:
    said = []

    async def log(message):
        said.append(f"log {message.level} {message.logger} {message.data}")

    async def progress(now, total, message):
        said.append(f"progress {now} {total} {message}")

    async def sampling(messages, params, context):
        return f"{messages[0].content.text} {params.systemPrompt} {params.maxTokens}"

    async def elicitation(message, kind, params, context):
        said.append(f"{message} {params.requestedSchema['type']}")
        return {"value": 5}

    options = {"log_handler": log, "progress_handler": progress}
    asking = {"sampling_handler": sampling, "elicitation_handler": elicitation}
    async with Client(inner, roots=["file:///a"], **options, **asking) as client:
        said.append((await client.call_tool("tells")).data)
        said.append((await client.call_tool("asks")).data)
    async with Client(inner) as client:
        said.append(await attempt(client.call_tool("asks")))
    return said


@mcp.tool
async def others() -> list[str]:
    said = []
    async with Client(official) as client:
        said.append(str((await client.call_tool("double", {"x": "4"})).structured_content))
    async with Client(FastMCPTransport(inner)) as client:
        said.append(str((await client.call_tool("add", {"a": 1})).data))
    async with create_connected_server_and_client_session(official._mcp_server) as session:
        listed = await session.list_tools()
        result = await session.call_tool("double", {"x": 5})
        said.append(f"{listed.tools[0].name} {result.structuredContent} {result.isError}")
        said.append(str((await session.call_tool("double", {"x": "x"})).isError))
    for given in ("https://a.example/mcp", "https://a.example/sse"):
        said.append(type(infer_transport(given)).__name__)
    for given in ("server.txt", 5):
        try:
            infer_transport(given)
        except ValueError as error:
            said.append(told(error))
    return said


proxied = FastMCP.as_proxy(inner, name="proxy")
mcp.mount(proxied, prefix="far")
front = FastMCPProxy(client_factory=lambda: ProxyClient(inner), name="front")


@front.tool
def own() -> str:
    return "own"


@mcp.tool
async def through() -> list[str]:
    async with Client(front) as client:
        names = sorted(tool.name for tool in await client.list_tools())
        said = [str(names), str((await client.call_tool("add", {"a": 1})).data)]
        said.append(await attempt(client.call_tool("failing")))
        said.append((await client.call_tool("own")).data)
        return said


def parent(old: str, count: int = 1, secret: str = "s") -> str:
    """Parent."""
    return f"{old} {count} {secret}"


def shape(person: Person, tags: Annotated[list[str], Field(description="Tags")]) -> dict[str, Any]:
    return {"person": person.name, "tags": tags}


base = Tool.from_function(parent, tags={"p"}, meta={"m": 1})
models = Tool.from_function(shape)
attempts = []


def tried(what, function):
    try:
        tool = function()
        mcp.add_tool(tool)
    except Exception as error:
        attempts.append(f"{what}: {told(error)}")


async def around(new: str, count: int, secret: str = "z") -> str:
    """Around."""
    result = await forward(new=new.upper(), count=count, secret=secret)
    return f"around {result.content[0].text}"


async def raw(old: str, count: int = 4, secret: str = "w") -> str:
    result = await forward_raw(old=old, count=count + 1)
    return f"raw {result.content[0].text}"


async def loose(**arguments) -> str:
    result = await forward(**arguments)
    return f"{arguments} {result.content[0].text}"


async def whole(old: str, count: int = 1, secret: str = "t") -> ToolResult:
    return ToolResult(content="whole", structured_content={"a": 1})


async def few(old: str) -> str:
    return old


tried("same", lambda: Tool.from_tool(base, name="same"))
tried("renamed", lambda: Tool.from_tool(base, name="renamed", title="T", description="D",
    transform_args={"old": ArgTransform(name="new", description="New", examples=["e"])}))
tried("hidden", lambda: Tool.from_tool(base, name="hidden", description=None, meta=None,
    transform_args={"secret": ArgTransform(hide=True, default="hid")}))
tried("made", lambda: Tool.from_tool(base, name="made", tags={"q"},
    transform_args={"secret": ArgTransform(hide=True, default_factory=lambda: "made")}))
tried("dropped", lambda: Tool.from_tool(base, name="dropped",
    transform_args={"secret": ArgTransform(hide=True)}))
tried("defaults", lambda: Tool.from_tool(base, name="defaults",
    transform_args={"old": ArgTransform(default="d"), "count": ArgTransform(default=7)}))
tried("types", lambda: Tool.from_tool(base, name="types",
    transform_args={"count": ArgTransform(type=Literal[1, 2])}))
tried("output", lambda: Tool.from_tool(base, name="output", output_schema=None))
tried("around", lambda: Tool.from_tool(base, name="around", transform_fn=around,
    transform_args={"old": ArgTransform(name="new")}))
tried("raw", lambda: Tool.from_tool(base, name="raw", transform_fn=raw))
tried("loose", lambda: Tool.from_tool(base, name="loose", transform_fn=loose,
    transform_args={"old": ArgTransform(name="new")}))
tried("whole", lambda: Tool.from_tool(base, name="whole", transform_fn=whole))
tried("few", lambda: Tool.from_tool(base, name="few", transform_fn=few))
tried("models", lambda: Tool.from_tool(models, name="models",
    transform_args={"tags": ArgTransform(hide=True, default=["t"])}))
tried("unknown", lambda: Tool.from_tool(base, transform_args={"x": ArgTransform(), "y": ArgTransform()}))
tried("twice", lambda: Tool.from_tool(base, transform_args={
    "old": ArgTransform(name="n"), "count": ArgTransform(name="n")}))
tried("needed", lambda: Tool.from_tool(base, transform_args={"old": ArgTransform(hide=True)}))
for options in (
    {"default": 1, "default_factory": int}, {"default_factory": int}, {"required": True, "default": 1},
    {"hide": True, "required": True}, {"required": False},
):  # fmt: skip
    tried(str(sorted(options)), lambda: ArgTransform(**options))
configured = ToolTransformConfig(
    name="configured", description="C", arguments={"count": ArgTransformConfig(name="n", default=3)}
)
tried("configured", lambda: configured.apply(base))


@mcp.tool
def before(a: int) -> int:
    return a


mcp.add_tool_transformation(
    "before", ToolTransformConfig(name="after", arguments={"a": ArgTransformConfig(name="b")})
)


@mcp.tool
def said() -> list[str]:
    return attempts


@mcp.tool
async def outside() -> list[str]:
    return [await attempt(forward(a=1)), await attempt(forward_raw(a=1))]


TEXT = {"role": "assistant", "content": {"type": "text", "text": "Two"}, "model": "m"}
ANSWERS = [TEXT, {"roots": [{"uri": "file:///b"}]}, {"action": "accept", "content": {"value": 7}}]
REQUESTS = [
    ("tools/list", {}),
    ("resources/list", {}),
    ("resources/templates/list", {}),
    ("prompts/list", {}),
    *[call(name) for name in "lists about errors reads handlers others through said outside".split()],
    *[call("data", name=name) for name in ("listed", "named", "nothing", "failing", "missing")],
    call("data", name="add", arguments={"a": 1}),
    call("data", name="add", arguments={"a": "x"}),
    call("data", name="who", arguments={"name": "Ada", "on": "2025-01-02"}),
    call("data", name="untyped", arguments={"x": [1]}),
    call("far_add", a=1, b="4"),
    call("far_add", a="x"),
    call("far_who", name="Ada"),
    call("far_failing"),
    call("far_tells"),
    call("far_asks"),
    *[
        ("resources/read", {"uri": uri})
        for uri in ("data://far/plain", "data://far/bytes", "data://far/k/value")
    ],
    ("prompts/get", {"name": "far_hello", "arguments": {"name": "Ada", "times": "2"}}),
    *[
        call(name, **arguments)
        for name in ("same", "hidden", "made", "dropped", "defaults", "types", "output", "raw", "whole")
        for arguments in ({"old": "o"}, {"old": "o", "count": 2}, {"old": "o", "secret": "x"}, {})
    ],
    *[
        call(name, **arguments)
        for name in ("renamed", "around", "loose")
        for arguments in ({"new": "o"}, {"new": "o", "count": 2}, {"old": "o", "count": 1}, {})
    ],
    call("models", person={"name": "Ada"}),
    call("models", person={"age": 1}),
    call("configured", old="o"),
    call("configured", old="o", n=5),
    call("after", b=3),
    call("after", a=3),
    call("before", a=3),
]  # fmt: skip
