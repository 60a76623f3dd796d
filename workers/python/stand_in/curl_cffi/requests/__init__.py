"""Requests with the interface of `curl_cffi.requests`."""

import asyncio
import urllib.parse

import requests as plain

from . import exceptions
from .exceptions import RequestsError

__all__ = [
    "AsyncSession",
    "BrowserType",
    "Cookies",
    "Headers",
    "RequestsError",
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
]

Response = plain.Response
Headers = plain.structures.CaseInsensitiveDict
Cookies = plain.cookies.RequestsCookieJar
# What `requests` has too; the rest says how a connection looks, and by which way it goes.
_KNOWN = {
    "params",
    "data",
    "json",
    "headers",
    "cookies",
    "files",
    "auth",
    "timeout",
    "allow_redirects",
    "verify",
    "stream",
}
_DEFAULT_TIMEOUT = 30


class BrowserType(str):
    """The name of a browser, which nothing is made to look like."""


class Session(plain.Session):
    """Keeps cookies, headers and an address that others are relative to."""

    def __init__(self, headers=None, cookies=None, auth=None, params=None, **settings):
        super().__init__()
        self.headers.update(headers or {})
        self.cookies.update(cookies or {})
        self.auth = auth
        self.params = params or {}
        self.verify = settings.get("verify", True)
        self.base_url = settings.get("base_url")
        self.timeout = settings.get("timeout", _DEFAULT_TIMEOUT)
        self.allow_redirects = settings.get("allow_redirects", True)
        self.max_redirects = settings.get("max_redirects", plain.models.DEFAULT_REDIRECT_LIMIT)
        self.raise_for_status = settings.get("raise_for_status", False)

    def request(self, method, url, **given):
        """Send a request, and return the answer."""
        known = {key: value for key, value in given.items() if key in _KNOWN}
        known.setdefault("timeout", self.timeout)
        known.setdefault("allow_redirects", self.allow_redirects)
        if given.get("referer"):
            known["headers"] = {**(known.get("headers") or {}), "Referer": given["referer"]}
        address = urllib.parse.urljoin(self.base_url, url) if self.base_url else url
        answer = super().request(method, address, **known)
        if self.raise_for_status:
            answer.raise_for_status()
        return answer


class AsyncSession:
    """The same for asynchronous code."""

    def __init__(self, *arguments, **settings):
        self._session = Session(*arguments, **settings)

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        await self.close()

    @property
    def headers(self):
        """Return the headers of all its requests."""
        return self._session.headers

    @property
    def cookies(self):
        """Return the cookies that it keeps."""
        return self._session.cookies

    async def close(self):
        """Forget its connections."""
        self._session.close()

    async def request(self, method, url, **given):
        """Send a request, and return the answer."""
        return await asyncio.to_thread(self._session.request, method, url, **given)

    async def get(self, url, **given):
        """Send a GET request."""
        return await self.request("GET", url, **given)

    async def post(self, url, **given):
        """Send a POST request."""
        return await self.request("POST", url, **given)

    async def put(self, url, **given):
        """Send a PUT request."""
        return await self.request("PUT", url, **given)

    async def patch(self, url, **given):
        """Send a PATCH request."""
        return await self.request("PATCH", url, **given)

    async def delete(self, url, **given):
        """Send a DELETE request."""
        return await self.request("DELETE", url, **given)

    async def head(self, url, **given):
        """Send a HEAD request."""
        return await self.request("HEAD", url, **given)

    async def options(self, url, **given):
        """Send an OPTIONS request."""
        return await self.request("OPTIONS", url, **given)


def request(method, url, **given):
    """Send a single request, and return the answer."""
    with Session() as session:
        return session.request(method, url, **given)


def get(url, **given):
    """Send a GET request."""
    return request("GET", url, **given)


def post(url, **given):
    """Send a POST request."""
    return request("POST", url, **given)


def put(url, **given):
    """Send a PUT request."""
    return request("PUT", url, **given)


def patch(url, **given):
    """Send a PATCH request."""
    return request("PATCH", url, **given)


def delete(url, **given):
    """Send a DELETE request."""
    return request("DELETE", url, **given)


def head(url, **given):
    """Send a HEAD request."""
    return request("HEAD", url, **given)


def options(url, **given):
    """Send an OPTIONS request."""
    return request("OPTIONS", url, **given)
