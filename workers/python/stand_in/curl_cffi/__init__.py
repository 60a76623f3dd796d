"""Stand-in for curl_cffi, which is compiled code: its requests, sent as `requests` sends them.

No browser is impersonated: how a connection looks is the host's.
"""

from . import requests
from .requests import (
    AsyncSession,
    Cookies,
    Headers,
    Response,
    Session,
    delete,
    exceptions,
    get,
    head,
    options,
    patch,
    post,
    put,
    request,
)

__version__ = "0.13.0"
__all__ = [
    "AsyncSession",
    "Cookies",
    "Curl",
    "CurlError",
    "Headers",
    "Response",
    "Session",
    "delete",
    "exceptions",
    "get",
    "head",
    "options",
    "patch",
    "post",
    "put",
    "request",
    "requests",
]


class CurlError(Exception):
    """A failure of curl."""


class Curl:
    """A handle of curl, of which there is none."""

    def __init__(self, *_, **__):
        raise CurlError("curl is not available in the sandbox: use curl_cffi.requests")
