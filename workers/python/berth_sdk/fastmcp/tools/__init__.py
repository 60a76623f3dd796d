"""Tools of FastMCP."""

from .tool import FunctionTool, Tool, ToolResult

__all__ = ["FunctionTool", "Tool", "ToolResult"]
