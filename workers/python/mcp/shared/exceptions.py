"""Errors that become JSON-RPC errors."""

from berth_runtime.serving.errors import McpError, UrlElicitationRequiredError

__all__ = ["McpError", "UrlElicitationRequiredError"]
