"""Servers."""

from .fastmcp import FastMCP
from .mcpserver import MCPServer

__all__ = ["FastMCP", "MCPServer"]
