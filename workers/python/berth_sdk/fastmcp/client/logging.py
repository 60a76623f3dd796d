"""Log messages, as a client's handler takes them."""

from berth_sdk.mcp.types import LoggingMessageNotificationParams

LogMessage = LoggingMessageNotificationParams

__all__ = ["LogMessage"]
