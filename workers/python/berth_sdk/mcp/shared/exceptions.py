"""Errors that become JSON-RPC errors."""

from berth_runtime.serving.errors import McpError, UrlElicitationRequiredError

MCPError = McpError

__all__ = ["MCPError", "McpError", "UrlElicitationRequiredError"]
