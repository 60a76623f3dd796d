"""The official Python SDK's names, served by Berth. Only the server side is here."""

import importlib

from .shared.exceptions import McpError, UrlElicitationRequiredError  # noqa: F401
from .types import *  # noqa: F403 - the SDK offers its types here too

__version__ = "1.29.0"
_LATE = {
    "ClientSession": "mcp.client.session",
    "ClientSessionGroup": "mcp.client.session_group",
    "StdioServerParameters": "mcp.client.stdio",
    "stdio_client": "mcp.client.stdio",
    "ServerSession": "mcp.server.session",
    "stdio_server": "mcp.server.stdio",
}


def __getattr__(name):
    place = _LATE.get(name)
    if place is not None:
        return getattr(importlib.import_module(place), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
