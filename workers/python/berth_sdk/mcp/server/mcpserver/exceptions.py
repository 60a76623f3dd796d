"""Exceptions of version 2."""

from ..fastmcp.exceptions import (
    FastMCPError,
    InvalidSignature,
    ResourceError,
    ToolError,
    ValidationError,
)

MCPServerError = FastMCPError


class ResourceNotFoundError(ResourceError):
    """There is no such resource."""


class UnexpectedResourceError(ResourceError):
    """A resource raised what it did not mean to tell; the text names the address only."""


class UnexpectedToolError(ToolError):
    """A tool raised what it did not mean to tell; the text names the tool only."""


__all__ = [
    "InvalidSignature",
    "MCPServerError",
    "ResourceError",
    "ResourceNotFoundError",
    "ToolError",
    "UnexpectedResourceError",
    "UnexpectedToolError",
    "ValidationError",
]
