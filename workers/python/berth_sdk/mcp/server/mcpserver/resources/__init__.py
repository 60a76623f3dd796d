"""Resources of version 2."""

from ...fastmcp.resources import *  # noqa: F403 - the same names
