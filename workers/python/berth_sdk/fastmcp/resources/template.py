"""Resource templates of FastMCP."""

from .resource import FunctionResourceTemplate, ResourceTemplate

__all__ = ["FunctionResourceTemplate", "ResourceTemplate"]
