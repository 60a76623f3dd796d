"""Middleware that keeps answers."""

import dataclasses

from fastmcp import FastMCP
from fastmcp.server.middleware.caching import (
    CallToolSettings,
    ListPromptsSettings,
    ResponseCachingMiddleware,
)
from fastmcp.tools.tool import ToolResult
from fastmcp.utilities.types import Image
from mcp.types import Icon, TextContent
from table import call

mcp = FastMCP("caching")
counts = {}


def counted(name):
    counts[name] = counts.get(name, 0) + 1
    return counts[name]


caching = ResponseCachingMiddleware(
    list_prompts_settings=ListPromptsSettings(enabled=False),
    call_tool_settings=CallToolSettings(excluded_tools=["uncached", "told", "grow"]),
    max_item_size=20_000,
)
mcp.add_middleware(caching)


@mcp.tool(
    title="Kept",
    tags={"b", "a"},
    icons=[Icon(src="https://example.com/icon.png")],
    annotations={"readOnlyHint": True, "title": "Annotated"},
    meta={"of": "tool"},
)
def kept(key: str = "a", more: dict | None = None) -> str:
    """Counts its calls."""
    return f"{key} {counted('kept')}"


@mcp.tool
def uncached() -> int:
    return counted("uncached")


@mcp.tool
def failing() -> int:
    raise ValueError(f"failed {counted('failing')}")


@mcp.tool
def shaped(kind: str) -> ToolResult:
    count = counted(kind)
    if kind == "structured":
        return ToolResult(structured_content={"count": count, "deep": [{"x": None}, 1.5]})
    if kind == "meta":
        block = TextContent(type="text", text=str(count), annotations={"priority": 0.5})
        return ToolResult(content=[block], meta={"count": count})
    if kind == "empty":
        return ToolResult(content=[])
    return ToolResult(content="x" * 30_000 + str(count))


@mcp.tool
def picture() -> Image:
    counted("picture")
    return Image(data=b"\x00\xff", format="png")


@mcp.tool
def numbers() -> dict[str, float]:
    return {"count": counted("numbers"), "half": 0.5}


@mcp.tool
def grow() -> str:
    """Adds a tool that lists in the cache do not have."""

    def grown() -> str:
        return "grown"

    mcp.tool(grown)
    return "done"


@mcp.tool
def told() -> dict:
    """Say what was counted."""
    statistics = caching.statistics()
    shown = {}
    for name in ("list_resources", "list_prompts", "read_resource"):
        found = getattr(statistics, name)
        shown[name] = found and [
            dataclasses.asdict(found.get),
            dataclasses.asdict(found.put),
        ]
    for name in ("get_prompt", "call_tool"):
        found = getattr(statistics, name)
        shown[name] = found and [found.get.hit, found.get.miss, found.put.count]
    return {**shown, **counts}


@mcp.resource("data://text", title="Text", tags={"t"}, icons=[Icon(src="https://example.com/i")])
def text() -> str:
    """A text."""
    return f"text {counted('text')}"


@mcp.resource("data://json", mime_type="application/json", annotations={"audience": ["user"]})
def data() -> dict:
    return {"count": counted("json")}


@mcp.resource("data://utf8", mime_type="application/octet-stream")
def utf8() -> bytes:
    return f"bytes {counted('utf8')}".encode()


@mcp.resource("data://of/{name}")
def of(name: str) -> str:
    return f"{name} {counted(name)}"


@mcp.resource("data://failing")
def broken() -> str:
    raise ValueError(f"broken {counted('broken')}")


@mcp.prompt(title="Hello", tags={"p"})
def hello(name: str = "you") -> str:
    """Greets."""
    return f"Hello {name} {counted('hello')}"


_TWICE = [
    ("tools/list", {}),
    call("kept"),
    call("kept", key="b"),
    call("kept", key="b", more={"x": [1, None]}),
    call("kept", key=5),
    call("uncached"),
    call("failing"),
    call("missing"),
    *[call("shaped", kind=kind) for kind in ("structured", "meta", "empty", "large")],
    call("picture"),
    call("numbers"),
    ("resources/list", {}),
    ("resources/templates/list", {}),
    *[
        ("resources/read", {"uri": f"data://{name}"})
        for name in ("text", "json", "utf8", "of/ada", "of/bob", "failing", "none")
    ],
    ("prompts/list", {}),
    ("prompts/get", {"name": "hello"}),
    ("prompts/get", {"name": "hello", "arguments": {"name": "Ada"}}),
    ("prompts/get", {"name": "none"}),
]
REQUESTS = [
    *_TWICE,
    call("told"),
    *_TWICE,
    call("told"),
    call("grow"),
    ("tools/list", {}),
    call("grown"),
]
