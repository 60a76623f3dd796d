"""Exceptions of FastMCP."""

from berth_runtime.serving.parameters import InvalidSignature


class FastMCPError(Exception):
    """Base of the errors of FastMCP."""


class ValidationError(FastMCPError):
    """Parameters or a result are not valid."""


class ResourceError(FastMCPError):
    """A resource failed."""


class ToolError(FastMCPError):
    """A tool failed."""


__all__ = ["FastMCPError", "InvalidSignature", "ResourceError", "ToolError", "ValidationError"]
