"""FastMCP 2 (package `fastmcp`), as Berth serves it."""

import types

from .server.context import Context
from .server.server import FastMCP
from .utilities.types import Audio, File, Image

__version__ = "2.14.5"
settings = types.SimpleNamespace(
    log_level="INFO", include_fastmcp_meta=True, mask_error_details=False
)

__all__ = ["Audio", "Context", "FastMCP", "File", "Image", "settings"]
