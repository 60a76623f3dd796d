"""FastMCP (package `fastmcp`), as Berth serves it."""

from .server.context import Context
from .server.server import FastMCP
from .settings import Settings
from .utilities.types import Audio, File, Image

# The name is that of the settings, not of their module; they are made with the session's variables.
del settings  # noqa: F821 - the import above has set it


def __getattr__(name):
    if name == "settings":
        made = globals()["settings"] = Settings()
        return made
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = ["Audio", "Context", "FastMCP", "File", "Image", "Settings", "settings"]
