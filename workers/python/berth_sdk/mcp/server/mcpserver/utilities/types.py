"""Images and sound that tools return, in version 2."""

from ...fastmcp.utilities.types import Audio, Image

__all__ = ["Audio", "Image"]
