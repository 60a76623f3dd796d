"""FastMCP 2 (package `fastmcp`), as Berth serves it."""

import types

from .server.context import Context
from .server.server import FastMCP
from .utilities.types import Audio, File, Image

__version__ = "2.14.5"
settings = types.SimpleNamespace(
    log_level="INFO", include_fastmcp_meta=True, mask_error_details=False
)


def __getattr__(name):
    if name == "Client":
        from .client import Client

        return Client
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = ["Audio", "Context", "FastMCP", "File", "Image", "settings"]
