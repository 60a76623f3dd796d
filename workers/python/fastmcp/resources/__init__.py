"""Resources of FastMCP."""

from .resource import FunctionResource, Resource, ResourceTemplate, TextResource

__all__ = ["FunctionResource", "Resource", "ResourceTemplate", "TextResource"]
