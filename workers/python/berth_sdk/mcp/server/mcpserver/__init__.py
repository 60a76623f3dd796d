"""The server class under its name in version 2 of the SDK, and the names beside it."""

from ..elicitation import (
    AcceptedElicitation,
    CancelledElicitation,
    DeclinedElicitation,
    ElicitationResult,
)
from ..fastmcp import Audio, Context, FastMCP, Icon, Image
from ..fastmcp.prompts.base import AssistantMessage, Message, UserMessage
from .answers import ModernAnswers, Prompt
from .tools import ToolManager


class MCPServer(ModernAnswers, FastMCP):
    """A server, with the constructor and the answers of version 2."""

    prompt_class = Prompt
    tool_manager_class = ToolManager

    def __init__(self, name=None, title=None, description=None, instructions=None, *_, **options):
        super().__init__(name, instructions, title=title, description=description, **options)

    @property
    def title(self):
        """The name that people see, or None."""
        return self._mcp_server.title

    @property
    def description(self):
        """What the server is for, or None."""
        return self._mcp_server.description

    @property
    def version(self):
        """The server's own version, or None."""
        return self._mcp_server.version

    def remove_prompt(self, name):
        """Take a prompt back; raises ValueError for an unknown one."""
        if self._prompts.pop(name, None) is None:
            raise ValueError(f"Unknown prompt: {name}")


__all__ = [
    "AcceptedElicitation",
    "AssistantMessage",
    "Audio",
    "CancelledElicitation",
    "Context",
    "DeclinedElicitation",
    "ElicitationResult",
    "Icon",
    "Image",
    "MCPServer",
    "Message",
    "UserMessage",
]
