"""Prompts of FastMCP."""

from .prompt import FunctionPrompt, Message, Prompt, PromptMessage

__all__ = ["FunctionPrompt", "Message", "Prompt", "PromptMessage"]
