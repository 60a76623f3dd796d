"""FastMCP of the official Python SDK, as Berth serves it."""

from berth_sdk.mcp.types import Icon

from .server import Context, FastMCP
from .utilities.types import Audio, Image


__all__ = ["Audio", "Context", "FastMCP", "Icon", "Image"]
