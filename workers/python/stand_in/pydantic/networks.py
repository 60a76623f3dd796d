"""Addresses, under pydantic's name for their module."""

from berth_runtime.model.adapter import HttpUrl
from berth_runtime.model.adapter import Url as AnyUrl

AnyHttpUrl = HttpUrl

__all__ = ["AnyHttpUrl", "AnyUrl", "HttpUrl"]
