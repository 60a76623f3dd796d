"""Kinds of resources of FastMCP."""

from .resource import FunctionResource, Resource, TextResource

BinaryResource = TextResource

__all__ = ["BinaryResource", "FunctionResource", "Resource", "TextResource"]
