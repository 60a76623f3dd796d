"""Resources of a FastMCP server."""

from berth_runtime.serving.resources import Resource, ResourceTemplate


class FunctionResource(Resource):
    """A resource that a function makes."""


class TextResource(Resource):
    """A resource with fixed text."""


class BinaryResource(Resource):
    """A resource with fixed bytes."""


__all__ = ["BinaryResource", "FunctionResource", "Resource", "ResourceTemplate", "TextResource"]
