"""The context: logging, progress, requests to the client, the session."""

import dataclasses
import enum
import json
from typing import *

from mcp.server.session import ServerSession
from mcp.shared.exceptions import McpError
from mcp.types import (
    ClientCapabilities,
    ElicitationCapability,
    ModelHint,
    ModelPreferences,
    RootsCapability,
    SamplingCapability,
    SamplingMessage,
    SamplingToolsCapability,
    TextContent,
    Tool,
    ToolChoice,
    ToolResultContent,
    ToolUseContent,
)
from pydantic import BaseModel, Field
from sdk import SDK, Context, FastMCP
from table import call

mcp = FastMCP("context")


def message(text, role="user"):
    return SamplingMessage(role=role, content=TextContent(type="text", text=text))


@mcp.tool()
async def levels(ctx: Context) -> str:
    await ctx.debug("a")
    await ctx.info("b")
    await ctx.warning("c")
    await ctx.error("d")
    await ctx.info("named", logger_name="own")
    return "logged"


@mcp.tool()
async def session_log(ctx: Context) -> str:
    await ctx.session.send_log_message("notice", {"a": [1]}, logger="own")
    await ctx.session.send_log_message(level="emergency", data="x")
    return "logged"


@mcp.tool()
async def bad_level(ctx: Context) -> str:
    await ctx.session.send_log_message("loud", "x")
    return "logged"


@mcp.tool()
async def progress(ctx: Context) -> str:
    await ctx.report_progress(1)
    await ctx.report_progress(2, 10)
    await ctx.report_progress(3.5, 10, "words")
    return "reported"


@mcp.tool()
async def notices(ctx: Context) -> str:
    await ctx.session.send_tool_list_changed()
    await ctx.session.send_resource_list_changed()
    await ctx.session.send_prompt_list_changed()
    await ctx.session.send_resource_updated("test://a")
    await ctx.session.send_progress_notification("t", 1, 2, "m")
    return "sent"


@mcp.tool()
async def about(ctx: Context) -> list[str]:
    meta = ctx.request_context.meta
    client = ctx.session.client_params
    return [
        str(ctx.request_id.isdigit()),
        str(ctx.client_id),
        str(meta.progressToken if meta else None),
        client.clientInfo.name,
        client.protocolVersion,
        str(client.capabilities.sampling is not None),
        type(ctx.session).__name__,
        str(ctx.fastmcp is mcp),
        str(ctx.fastmcp.name),
    ]


@mcp.tool()
def capabilities(ctx: Context) -> list[bool]:
    wanted = [
        ClientCapabilities(),
        ClientCapabilities(roots=RootsCapability()),
        ClientCapabilities(roots=RootsCapability(listChanged=True)),
        ClientCapabilities(sampling=SamplingCapability()),
        ClientCapabilities(sampling=SamplingCapability(tools=SamplingToolsCapability())),
        ClientCapabilities(elicitation=ElicitationCapability()),
        ClientCapabilities(experimental={"a": {}}),
    ]
    return [ctx.session.check_client_capability(item) for item in wanted]


@mcp.tool()
async def sampling(ctx: Context) -> str:
    answer = await ctx.session.create_message([message("Hi")], max_tokens=10)
    return f"{type(answer).__name__} {answer.role} {answer.model} {answer.content.text}"


@mcp.tool()
async def sampling_fully(ctx: Context) -> str:
    answer = await ctx.session.create_message(
        messages=[message("Hi"), message("Ho", "assistant"), message("Hm")],
        max_tokens=10,
        system_prompt="Be brief",
        include_context="thisServer",
        temperature=0.5,
        stop_sequences=["."],
        metadata={"a": 1},
        model_preferences=ModelPreferences(hints=[ModelHint(name="m")], costPriority=0.5),
    )
    return f"{answer.stopReason} {answer.content.type}"


@mcp.tool()
async def sampling_tools(ctx: Context) -> str:
    tool = Tool(name="add", description="Adds", inputSchema={"type": "object"})
    answer = await ctx.session.create_message(
        [message("1+1?")], max_tokens=10, tools=[tool], tool_choice=ToolChoice(mode="auto")
    )
    used = answer.content_as_list[0]
    first = SamplingMessage(role="assistant", content=answer.content)
    result = ToolResultContent(
        type="tool_result", toolUseId=used.id, content=[TextContent(type="text", text="2")]
    )
    reply = SamplingMessage(role="user", content=[result])
    last = await ctx.session.create_message(
        [message("1+1?"), first, reply], max_tokens=10, tools=[tool]
    )
    return f"{used.name} {used.input} {last.content_as_list[0].text}"


@mcp.tool()
async def sampling_wrongly(ctx: Context) -> str:
    use = ToolUseContent(type="tool_use", name="a", id="1", input={})
    result = ToolResultContent(type="tool_result", toolUseId="2", content=[])
    text = TextContent(type="text", text="t")
    said = []
    for contents in ([[use], [result]], [[text], [result]], [[result]], [[use], [result, text]]):
        messages = [SamplingMessage(role="user", content=content) for content in contents]
        try:
            await ctx.session.create_message(messages, max_tokens=1)
        except Exception as error:
            said.append(f"{type(error).__name__}: {error}")
    return "\n".join(said)


@mcp.tool()
async def caught(ctx: Context) -> str:
    try:
        await ctx.session.create_message([message("Hi")], max_tokens=10)
    except McpError as error:
        return f"{error.error.code} {error.error.message} {error.error.data} {error}"
    return "no error"


class Account(BaseModel):
    """Who it is."""

    name: str = Field(description="The name")
    age: Optional[int] = None
    news: bool = False


class Nested(BaseModel):
    inner: Account


class Lists(BaseModel):
    names: list[str]
    score: float = 0.5


async def ask(ctx, schema):
    if SDK == "mcp":
        return await ctx.elicit(message="Who?", schema=schema)
    return await ctx.elicit("Who?", response_type=schema)


def told(answer):
    data = getattr(answer, "data", None)
    return f"{type(answer).__name__.split('[')[0]} {answer.action} {data!r}"


@mcp.tool()
async def elicit(ctx: Context) -> str:
    return told(await ask(ctx, Account))


@mcp.tool()
async def elicit_lists(ctx: Context) -> str:
    return told(await ask(ctx, Lists))


@mcp.tool()
async def elicit_nested(ctx: Context) -> str:
    return told(await ask(ctx, Nested))


@mcp.tool()
async def elicit_raw(ctx: Context) -> str:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    answer = await ctx.session.elicit("Raw?", schema)
    also = await ctx.session.elicit_form("Raw?", schema)
    return f"{answer.action} {answer.content} {also.action} {also.content}"


@mcp.tool()
async def elicit_address(ctx: Context) -> str:
    answer = await ctx.session.elicit_url("Go", "https://example.com/a", "id-1")
    await ctx.session.send_elicit_complete("id-1")
    return f"{answer.action} {answer.content}"


@mcp.tool()
async def roots(ctx: Context) -> str:
    found = (await ctx.session.list_roots()).roots
    return "; ".join(f"{root.uri} {root.name}" for root in found)


@mcp.tool()
async def ping(ctx: Context) -> str:
    return type(await ctx.session.send_ping()).__name__


@mcp.tool()
async def optional_context(a: int, context: Optional[Context] = None) -> str:
    return f"{a} {type(context).__name__}"


@mcp.tool()
def plain_context(a: int, ctx: Context) -> str:
    return f"{a} {ctx.request_id.isdigit()}"


@mcp.tool()
async def typed_context(ctx: Context[ServerSession, None] if SDK == "mcp" else Context) -> str:
    return type(ctx).__name__


REPLY = {"role": "assistant", "content": {"type": "text", "text": "Yo"}, "model": "m"}
ACCEPTED = {"action": "accept", "content": {"name": "Ada", "age": 36}}
ANSWERS = [
    REPLY,
    {**REPLY, "stopReason": "endTurn"},
    {**REPLY, "content": [{"type": "tool_use", "id": "u1", "name": "add", "input": {"a": 1}}],
     "stopReason": "toolUse"},
    REPLY,
    {"code": -1, "message": "User said no", "data": {"why": "busy"}},
    {"code": -32603, "message": "Broken"},
    {"role": "assistant"},
    ACCEPTED,
    {"action": "decline"},
    {"action": "cancel"},
    {"action": "accept", "content": {"age": "x"}},
    {"action": "accept"},
    {"action": "maybe"},
    {"code": -32602, "message": "No forms"},
    {"action": "accept", "content": {"names": ["a", "b"]}},
    {"action": "accept", "content": {"a": "b"}},
    {"action": "decline"},
    {"action": "accept"},
    {"roots": [{"uri": "file:///home/ada", "name": "home"}, {"uri": "file:///tmp"}]},
    {"roots": []},
    {},
]  # fmt: skip
REQUESTS = [
    ("tools/list", {}),
    call("levels"),
    call("session_log"),
    call("bad_level"),
    call("progress"),
    ("tools/call", {"name": "progress", "arguments": {}, "_meta": {"progressToken": "token"}}),
    ("tools/call", {"name": "progress", "arguments": {}, "_meta": {"progressToken": 7}}),
    call("notices"),
    call("about"),
    ("tools/call", {"name": "about", "_meta": {"progressToken": 7, "client_id": "c"}}),
    call("capabilities"),
    call("sampling"),
    call("sampling_fully"),
    call("sampling_tools"),
    call("sampling_wrongly"),
    call("caught"),
    call("sampling"),
    call("sampling"),
    *[call("elicit")] * 7,
    call("elicit_lists"),
    call("elicit_nested"),
    call("elicit_raw"),
    call("elicit_address"),
    call("roots"),
    call("roots"),
    call("ping"),
    call("optional_context", a=1),
    call("plain_context", a=1),
    call("typed_context"),
]
