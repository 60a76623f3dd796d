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


__all__ = [
    "InvalidSignature",
    "MCPServerError",
    "ResourceError",
    "ResourceNotFoundError",
    "ToolError",
    "ValidationError",
]
