"""FastMCP's client: of server objects, and of servers over HTTP."""

from .auth import BearerAuth
from .client import Client
from .transports import (
    ClientTransport,
    FastMCPTransport,
    NodeStdioTransport,
    NpxStdioTransport,
    PythonStdioTransport,
    SSETransport,
    StdioTransport,
    StreamableHttpTransport,
    UvStdioTransport,
    UvxStdioTransport,
)

__all__ = [
    "BearerAuth",
    "Client",
    "ClientTransport",
    "FastMCPTransport",
    "NodeStdioTransport",
    "NpxStdioTransport",
    "PythonStdioTransport",
    "SSETransport",
    "StdioTransport",
    "StreamableHttpTransport",
    "UvStdioTransport",
    "UvxStdioTransport",
]


def __getattr__(name):
    if name in ("OAuth", "WSTransport"):
        from berth_sdk import placeholders

        return placeholders.make(__name__, name, placeholders.reason_for(__name__))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
