"""Servers."""

from .context import ServerRequestContext
from .fastmcp import FastMCP
from .lowlevel import NotificationOptions, Server
from .mcpserver import MCPServer
from .models import InitializationOptions

__all__ = [
    "FastMCP",
    "InitializationOptions",
    "MCPServer",
    "NotificationOptions",
    "Server",
    "ServerRequestContext",
]
