"""Loggers of version 2."""

from ...fastmcp.utilities.logging import configure_logging, get_logger

__all__ = ["configure_logging", "get_logger"]
