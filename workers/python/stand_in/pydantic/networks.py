"""Addresses, under pydantic's name for their module."""

from berth_runtime.model.urls import HttpUrl
from berth_runtime.model.urls import Url as AnyUrl

AnyHttpUrl = HttpUrl

__all__ = ["AnyHttpUrl", "AnyUrl", "HttpUrl"]
