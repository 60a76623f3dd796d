"""Images and sound that tools return."""

from berth_runtime.serving.content import Audio, Image

__all__ = ["Audio", "Image"]
