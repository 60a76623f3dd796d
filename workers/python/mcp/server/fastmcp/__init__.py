"""FastMCP of the official Python SDK, as Berth serves it."""

from mcp.types import Icon

from .server import Context, FastMCP
from .utilities.types import Audio, Image

__version__ = "1.29.0"

__all__ = ["Audio", "Context", "FastMCP", "Icon", "Image"]
