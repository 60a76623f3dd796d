"""Prompts of a FastMCP server."""

from berth_runtime.serving.prompts import Prompt

__all__ = ["Prompt"]
