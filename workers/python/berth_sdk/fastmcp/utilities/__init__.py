"""Helpers of FastMCP."""
