"""httpx: its transports, synchronous and asynchronous, end at the host instead of a socket.

Everything above them (clients, redirects, cookies, authentication, decoding) is httpx's own.
"""

import sys
import types

from ...http import exchange, exchange_async, header_list

# What the host says of a failure, and the exception of httpx that stands for it.
_ERRORS = {
    "connect_timeout": "ConnectTimeout",
    "read_timeout": "ReadTimeout",
    "too_large": "ReadError",
    "truncated": "RemoteProtocolError",
    "protocol": "RemoteProtocolError",
    "invalid_url": "LocalProtocolError",
}


def adapt(httpx):
    """Fit `httpx.HTTPTransport` and `httpx.AsyncHTTPTransport`, which every client uses."""

    def handle_request(self, request):
        """Send a request and return its response, read whole."""
        body = request.read()
        outcome, content = exchange(_meta(self, request, body), body)
        return _response(request, outcome, content)

    async def handle_async_request(self, request):
        """Send a request and return its response, read whole."""
        body = await request.aread()
        outcome, content = await exchange_async(_meta(self, request, body), body)
        return _response(request, outcome, content)

    def _meta(transport, request, body):
        scheme = request.url.scheme
        if scheme not in ("http", "https"):
            text = (
                f"Request URL has an unsupported protocol '{scheme}://'."
                if scheme
                else "Request URL is missing an 'http://' or 'https://' protocol."
            )
            raise httpx.UnsupportedProtocol(text, request=request)
        timeout = request.extensions.get("timeout") or {}
        return {
            "method": request.method,
            "url": str(request.url),
            "headers": header_list(request.headers.raw, body),
            "connect_timeout_ms": _milliseconds(timeout.get("connect")),
            "read_timeout_ms": _milliseconds(timeout.get("read")),
            "verify": transport.verifies,
        }

    def _response(request, outcome, content):
        if outcome["kind"] == "error":
            error = getattr(httpx, _ERRORS.get(outcome.get("error"), "ConnectError"))
            raise error(outcome.get("message", ""), request=request)
        reason = outcome.get("reason") or ""
        return httpx.Response(
            outcome["status"],
            headers=[(name.encode("latin-1"), _bytes(text)) for name, text in outcome["headers"]],
            stream=httpx.ByteStream(content),
            extensions={"http_version": b"HTTP/1.1", "reason_phrase": _bytes(reason)},
        )

    # A client that asks for HTTP/2 looks for this package first, and then gets HTTP/1.1 as well.
    sys.modules.setdefault("h2", types.ModuleType("h2"))
    for transport in (httpx.HTTPTransport, httpx.AsyncHTTPTransport):
        transport.__init__ = _init
    httpx.HTTPTransport.__enter__ = lambda self: self
    httpx.HTTPTransport.__exit__ = lambda self, *_: None
    httpx.HTTPTransport.close = lambda self: None
    httpx.HTTPTransport.handle_request = handle_request
    httpx.AsyncHTTPTransport.__aenter__ = _enter
    httpx.AsyncHTTPTransport.__aexit__ = _leave
    httpx.AsyncHTTPTransport.aclose = _leave
    httpx.AsyncHTTPTransport.handle_async_request = handle_async_request


def _init(self, verify=True, *_arguments, **_options):
    """Take over whether certificates are checked; all else is the host's business."""
    self.verifies = verify is not False and getattr(verify, "verify_mode", 1) != 0


async def _enter(self):
    return self


async def _leave(self, *_):
    return None


def _milliseconds(seconds):
    return seconds * 1000 if isinstance(seconds, (int, float)) else None


def _bytes(text):
    return text.encode("latin-1", "replace")
