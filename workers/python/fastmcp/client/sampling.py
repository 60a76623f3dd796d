"""What a client's handler of sampling takes."""

from mcp.types import CreateMessageRequestParams, SamplingMessage

SamplingParams = CreateMessageRequestParams

__all__ = ["SamplingMessage", "SamplingParams"]
