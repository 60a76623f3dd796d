"""The tools of one server, by name."""

import re

from ..exceptions import ToolError
from ..utilities.logging import get_logger
from .base import Tool

logger = get_logger(__name__)
_NAME = re.compile(r"[A-Za-z0-9_.\-]{1,128}\Z")


class ToolManager:
    """Registers tools; the first of a name stays."""

    tool_class = Tool

    def __init__(self, warn_on_duplicate_tools=True, *, tools=None):
        self._tools = {}
        self.warn_on_duplicate_tools = warn_on_duplicate_tools
        for tool in tools or ():
            self._tools.setdefault(tool.name, tool)

    def get_tool(self, name):
        """Return the tool of that name, or None."""
        return self._tools.get(name)

    def list_tools(self):
        """Return all tools in the order of registration."""
        return list(self._tools.values())

    def add_tool(self, fn, name=None, **details):
        """Register a function as a tool and return the tool."""
        tool = self.tool_class.from_function(fn, name=name, **details)
        if not _NAME.match(tool.name):
            logger.warning("Tool name %r does not follow the naming rules of MCP", tool.name)
        existing = self._tools.get(tool.name)
        if existing:
            if self.warn_on_duplicate_tools:
                logger.warning("Tool already exists: %s", tool.name)
            return existing
        self._tools[tool.name] = tool
        return tool

    def remove_tool(self, name):
        """Remove a tool; raises ToolError when there is none."""
        if name not in self._tools:
            raise ToolError(f"Unknown tool: {name}")
        del self._tools[name]

    async def call_tool(self, name, arguments, context=None, convert_result=False):
        """Call a tool by name; raises ToolError."""
        tool = self.get_tool(name)
        if not tool:
            raise ToolError(f"Unknown tool: {name}")
        return await tool.run(arguments, context=context, convert_result=convert_result)
