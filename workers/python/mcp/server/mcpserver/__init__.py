"""The server class under its name in version 2 of the SDK."""

from ..fastmcp import Audio, Context, Icon, Image
from ..fastmcp import FastMCP as MCPServer

__all__ = ["Audio", "Context", "Icon", "Image", "MCPServer"]
