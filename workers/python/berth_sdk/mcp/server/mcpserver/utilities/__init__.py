"""Helpers of version 2."""
