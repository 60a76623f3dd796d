"""The connection by the name of its module."""

from . import Connection, connect

__all__ = ["Connection", "connect"]
