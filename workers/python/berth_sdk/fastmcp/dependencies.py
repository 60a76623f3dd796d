"""Dependencies, under their short name."""

from .server.dependencies import CurrentContext, CurrentFastMCP, Depends

__all__ = ["CurrentContext", "CurrentFastMCP", "Depends"]
