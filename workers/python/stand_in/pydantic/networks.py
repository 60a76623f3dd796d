"""Addresses, under pydantic's name for their module."""

from berth_runtime.model.nodes.urls import HttpUrl
from berth_runtime.model.nodes.urls import Url as AnyUrl

AnyHttpUrl = HttpUrl

__all__ = ["AnyHttpUrl", "AnyUrl", "HttpUrl"]
