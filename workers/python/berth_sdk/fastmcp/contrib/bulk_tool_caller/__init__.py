"""Several calls of a server's tools in one."""

from .bulk_tool_caller import BulkToolCaller

__all__ = ["BulkToolCaller"]
