"""Prompts of FastMCP."""

from .prompt import FunctionPrompt, Message, Prompt, PromptArgument, PromptMessage

__all__ = ["FunctionPrompt", "Message", "Prompt", "PromptArgument", "PromptMessage"]
