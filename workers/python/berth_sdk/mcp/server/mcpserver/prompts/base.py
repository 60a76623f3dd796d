"""Messages that prompt functions return, in version 2."""

from ...fastmcp.prompts.base import AssistantMessage, Message, Prompt, UserMessage

__all__ = ["AssistantMessage", "Message", "Prompt", "UserMessage"]
