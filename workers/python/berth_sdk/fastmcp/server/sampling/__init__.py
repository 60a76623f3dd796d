"""Asking the client's model, with tools that it may use."""

from .results import SampleStep, SamplingResult
from .tool import SamplingTool

__all__ = ["SampleStep", "SamplingResult", "SamplingTool"]
