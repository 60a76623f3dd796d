"""Methods of objects as tools, resources and prompts."""

from .mcp_mixin import MCPMixin, mcp_prompt, mcp_resource, mcp_tool

__all__ = ["MCPMixin", "mcp_prompt", "mcp_resource", "mcp_tool"]
