"""Tools of version 2."""

from ...fastmcp.tools import Tool, ToolManager

__all__ = ["Tool", "ToolManager"]
