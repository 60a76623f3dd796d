"""The server class of version 2."""

from . import MCPServer

__all__ = ["MCPServer"]
