"""Middleware that logs requests and times them."""

import json
import logging
import re

from fastmcp import FastMCP
from fastmcp.server.middleware.logging import LoggingMiddleware, StructuredLoggingMiddleware
from fastmcp.server.middleware.timing import DetailedTimingMiddleware, TimingMiddleware
from table import call

mcp = FastMCP("logging")
lines = []
TIME = re.compile(r"\d+\.\d+(?=ms)|(?<=duration_ms=)[\d.e-]+|(?<=\"duration_ms\": )[\d.e-]+")


class Logger:
    """Keeps what is logged, whatever `logging` is set to."""

    def __init__(self, name):
        self.name = name

    def log(self, level, text):
        lines.append(f"{self.name} {level} {TIME.sub('T', text)}")

    def warning(self, text):
        self.log(logging.WARNING, text)


def broken(_payload):
    raise ValueError("not this")


def only_name(payload):
    return json.dumps({"name": getattr(payload, "name", None)})


plain = [
    LoggingMiddleware(),
    StructuredLoggingMiddleware(),
    TimingMiddleware(),
    DetailedTimingMiddleware(),
]
for middleware in plain:
    mcp.add_middleware(middleware)
mcp.add_middleware(
    LoggingMiddleware(
        logger=Logger("short"),
        log_level=logging.DEBUG,
        include_payloads=True,
        include_payload_length=True,
        estimate_payload_tokens=True,
        max_payload_length=20,
        methods=["tools/call", "prompts/get"],
    )
)
mcp.add_middleware(
    StructuredLoggingMiddleware(logger=Logger("whole"), include_payloads=True, log_level=30)
)
mcp.add_middleware(
    LoggingMiddleware(
        logger=Logger("own"), include_payloads=True, payload_serializer=only_name
    )
)
mcp.add_middleware(
    StructuredLoggingMiddleware(
        logger=Logger("broken"),
        include_payload_length=True,
        payload_serializer=broken,
        methods=["resources/read"],
    )
)
mcp.add_middleware(TimingMiddleware(Logger("times"), logging.DEBUG))
mcp.add_middleware(DetailedTimingMiddleware(logger=Logger("details"), log_level=logging.ERROR))


@mcp.tool
def add(a: int, b: int = 2, note: str = "") -> int:
    return a + b


@mcp.tool
def failing() -> str:
    raise ValueError("failed")


@mcp.tool
def said() -> list[str]:
    """Say what was logged. The SDK lists tools by itself, and has more of `initialize`."""
    skipped = ("initialize", "tools/list", "List tools")
    found = [line for line in lines if not any(text in line for text in skipped)]
    lines.clear()
    return found


@mcp.tool
def defaults() -> list[str]:
    """Say what the middleware logs with that was given no logger."""
    return [f"{item.logger.name} {item.log_level}" for item in plain]


@mcp.resource("data://plain")
def plain_text() -> str:
    return "plain"


@mcp.resource("data://{name}/details")
def details(name: str) -> str:
    return name


@mcp.prompt
def hello(name: str) -> str:
    return f"Hello {name}"


@mcp.prompt
def broken_prompt() -> str:
    raise ValueError("broken")


REQUESTS = [
    call("defaults"),
    ("tools/list", {}),
    call("said"),
    call("add", a=1),
    call("add", a=1, note="é" * 40),
    call("add", a="x"),
    call("failing"),
    call("said"),
    ("resources/list", {}),
    ("resources/templates/list", {}),
    ("resources/read", {"uri": "data://plain"}),
    ("resources/read", {"uri": "data://ada/details"}),
    call("said"),
    ("prompts/list", {}),
    ("prompts/get", {"name": "hello", "arguments": {"name": "Ada"}}),
    ("prompts/get", {"name": "broken_prompt", "arguments": {}}),
    call("said"),
]
