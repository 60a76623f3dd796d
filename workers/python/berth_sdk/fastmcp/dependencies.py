"""Dependencies, under their short name."""

from .server.dependencies import CurrentContext, CurrentFastMCP, Dependency, Depends, Shared

__all__ = ["CurrentContext", "CurrentFastMCP", "Dependency", "Depends", "Shared"]
