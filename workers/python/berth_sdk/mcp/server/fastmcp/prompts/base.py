"""Messages that prompt functions return."""

from berth_runtime.serving.prompts import AssistantMessage, Message, Prompt, UserMessage

__all__ = ["AssistantMessage", "Message", "Prompt", "UserMessage"]
