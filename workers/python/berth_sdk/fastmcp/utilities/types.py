"""Images, sound and files that tools return."""

from berth_runtime.serving.content import Audio, File, Image

__all__ = ["Audio", "File", "Image"]
