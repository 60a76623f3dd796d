"""What a client's handler of sampling takes."""

from berth_sdk.mcp.types import CreateMessageRequestParams, SamplingMessage

SamplingParams = CreateMessageRequestParams

__all__ = ["SamplingMessage", "SamplingParams"]
