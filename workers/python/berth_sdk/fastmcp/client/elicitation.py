"""Answers of the user, as a client's handler returns them."""

from berth_sdk.mcp.types import ElicitRequestParams

from .callbacks import ElicitResult

__all__ = ["ElicitRequestParams", "ElicitResult"]
