"""What a handler may ask for, in version 2."""

from ..fastmcp import Context

__all__ = ["Context"]
