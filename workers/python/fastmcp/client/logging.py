"""Log messages, as a client's handler takes them."""

from mcp.types import LoggingMessageNotificationParams

LogMessage = LoggingMessageNotificationParams

__all__ = ["LogMessage"]
