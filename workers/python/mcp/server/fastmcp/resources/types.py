"""Kinds of resources, under the SDK's name for their module."""

from . import BinaryResource, FunctionResource, Resource, TextResource

__all__ = ["BinaryResource", "FunctionResource", "Resource", "TextResource"]
