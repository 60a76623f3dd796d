"""Resources of a FastMCP server."""

from berth_runtime.serving.resources import Resource, ResourceTemplate

from .types import (
    BinaryResource,
    DirectoryResource,
    FileResource,
    FunctionResource,
    HttpResource,
    TextResource,
)

__all__ = [
    "BinaryResource",
    "DirectoryResource",
    "FileResource",
    "FunctionResource",
    "HttpResource",
    "Resource",
    "ResourceTemplate",
    "TextResource",
]
