"""Resources of FastMCP."""

from .resource import FunctionResource, Resource, ResourceTemplate, TextResource
from .types import BinaryResource, DirectoryResource, FileResource, HttpResource

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
