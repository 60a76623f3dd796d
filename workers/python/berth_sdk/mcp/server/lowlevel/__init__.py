"""The server class below FastMCP: handlers for requests, registered by decorators."""

from .server import NotificationOptions, Server

__all__ = ["NotificationOptions", "Server"]
