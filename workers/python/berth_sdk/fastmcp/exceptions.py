"""Exceptions of FastMCP."""

from berth_sdk.mcp.shared.exceptions import McpError


class FastMCPError(Exception):
    """Base of the errors of FastMCP."""


class ValidationError(FastMCPError):
    """Parameters or a result are not valid."""


class ResourceError(FastMCPError):
    """A resource failed; its text is what the client sees."""


class ToolError(FastMCPError):
    """A tool failed; its text is what the client sees."""


class PromptError(FastMCPError):
    """A prompt failed; its text is what the client sees."""


class InvalidSignature(Exception):
    """A function cannot be offered because of its signature."""


class ClientError(Exception):
    """A client failed."""


class NotFoundError(Exception):
    """There is no such thing."""


class DisabledError(Exception):
    """The thing is switched off."""


__all__ = [name for name in globals() if name[0].isupper()] + ["McpError"]
