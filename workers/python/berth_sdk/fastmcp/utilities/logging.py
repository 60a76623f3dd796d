"""Loggers of FastMCP."""

import logging


def get_logger(name):
    """Return the logger of a module."""
    return logging.getLogger(f"FastMCP.{name}")


def configure_logging(level="INFO", **_):
    """Set the level of FastMCP's loggers."""
    logging.getLogger("FastMCP").setLevel(level)
