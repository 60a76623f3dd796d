"""Prompts of FastMCP."""

from .prompt import Message, Prompt, PromptMessage

__all__ = ["Message", "Prompt", "PromptMessage"]
