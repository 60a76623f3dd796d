"""Tools of version 2."""

from .base import Tool, ToolManager

__all__ = ["Tool", "ToolManager"]
