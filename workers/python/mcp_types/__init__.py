"""The protocol's types under the name that SDK 2 gives them."""

from mcp import types
from mcp.types import *  # noqa: F403 - the same names


def __getattr__(name):
    return getattr(types, name)
