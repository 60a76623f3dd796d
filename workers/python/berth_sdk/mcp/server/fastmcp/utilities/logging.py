"""Loggers of FastMCP."""

import logging


def get_logger(name):
    """Return the logger of a module."""
    return logging.getLogger(name)


def configure_logging(level="INFO"):
    """Set the level of the root logger."""
    logging.getLogger().setLevel(level)
