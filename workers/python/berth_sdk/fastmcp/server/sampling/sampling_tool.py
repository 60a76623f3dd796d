"""A function that the client's model may use, under the SDK's module name."""

from .tool import SamplingTool

__all__ = ["SamplingTool"]
