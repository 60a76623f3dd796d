"""FastMCP 2 (package `fastmcp`), as Berth serves it."""

from mcp.server.fastmcp import Audio, Context, FastMCP, Image

__version__ = "2.14.5"

__all__ = ["Audio", "Context", "FastMCP", "Image"]
