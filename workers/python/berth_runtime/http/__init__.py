"""HTTP for `requests` and `urllib3`: their connections end at the host instead of a socket.

Everything above a connection (pools, retries, redirects, cookies, decoding) is their own code, so
it behaves as on CPython. One request and its whole answer cross to the host at once.
"""

import http.client
import json

import requests.adapters
import urllib3.connection
import urllib3.connectionpool

from .. import state
from .errors import ConnectionRefusal, HostRefusal, raise_outcome
from .response import build_response

_HOP_BY_HOP = {"transfer-encoding", "connection", "keep-alive"}


class HostConnection:
    """What urllib3 wants of a connection, over the host."""

    scheme = "http"
    default_port = 80
    # What subclasses look at: botocore keeps it for answers that come early.
    response_class = http.client.HTTPResponse
    debuglevel = 0
    default_socket_options = []
    is_verified = False
    proxy = None
    proxy_is_verified = None

    def __init__(self, host, port=None, *, timeout=None, **options):
        self.host = host
        self.port = port or self.default_port
        self.timeout = timeout
        self.cert_reqs = options.get("cert_reqs")
        self.blocksize = options.get("blocksize", 16384)
        self.sock = None
        self._sent = None
        self._connect_ms = None
        self.is_verified = self.verify

    @property
    def verify(self):
        """Whether the server's certificate is to be checked."""
        return self.cert_reqs not in ("CERT_NONE", 0)

    @property
    def is_closed(self):
        """Return whether no request waits for its answer."""
        return self._sent is None

    @property
    def is_connected(self):
        """Return that nothing is kept open between requests."""
        return False

    @property
    def has_connected_to_proxy(self):
        """Return that proxies are never used."""
        return False

    def connect(self):
        """Do nothing: the host connects for each request."""

    def close(self):
        """Forget a request that was not answered."""
        self._sent = None

    def set_cert(self, *_, **options):
        """Take over whether certificates are checked."""
        self.cert_reqs = options.get("cert_reqs", self.cert_reqs)

    def set_tunnel(self, *_, **__):
        """Do nothing: proxies are never used."""

    def request(
        self,
        method,
        url,
        body=None,
        headers=None,
        *,
        chunked=False,
        preload_content=True,
        decode_content=True,
        enforce_content_length=True,
    ):
        """Keep a request until its answer is asked for: urllib3 tells the read timeout then."""
        data = read_body(body)
        self._connect_ms = _milliseconds(self.timeout)
        self._sent = {
            "meta": {
                "method": method,
                "url": self._address(url),
                "headers": header_list(headers, data),
                "connect_timeout_ms": self._connect_ms,
                "verify": self.verify,
            },
            "body": data,
            "response": {
                "method": method,
                "url": url,
                "preload_content": preload_content,
                "decode_content": decode_content,
            },
        }

    def getresponse(self):
        """Send the request through the host and return the answer."""
        sent, self._sent = self._sent, None
        read_ms = _milliseconds(self.timeout)
        outcome, content = exchange({**sent["meta"], "read_timeout_ms": read_ms}, sent["body"])
        if outcome["kind"] == "error":
            raise_outcome(self, outcome, self._connect_ms, read_ms)
        return build_response(outcome, content, **sent["response"])

    def _address(self, target):
        host = f"[{self.host}]" if ":" in self.host and self.host[0] != "[" else self.host
        port = "" if self.port == self.default_port else f":{self.port}"
        return f"{self.scheme}://{host}{port}{target}"


class HostSecureConnection(HostConnection):
    """The same for https."""

    scheme = "https"
    default_port = 443


def exchange(meta, body):
    """Give one request to the host and wait; returns the outcome and the body of the answer."""
    from pyodide.ffi import run_sync

    return run_sync(exchange_async(meta, body))


async def exchange_async(meta, body):
    """Give one request to the host; returns the outcome and the body of the answer."""
    from pyodide.ffi import to_js

    if state.session.http is None:
        return {
            "kind": "error",
            "error": "refused",
            "message": "HTTP is available once a session has started",
        }, b""
    pair = await state.session.http(json.dumps(meta), to_js(body) if body else None)
    content = pair[1]
    if content is None:
        content = b""
    elif hasattr(content, "to_bytes"):
        content = content.to_bytes()
    return json.loads(pair[0]), bytes(content)


def read_body(body):
    """Return a body of any kind that urllib3 takes as bytes."""
    if body is None:
        return b""
    if isinstance(body, str):
        return body.encode("utf-8")
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(body)
    if hasattr(body, "read"):
        data = body.read()
        return data.encode("utf-8") if isinstance(data, str) else data
    return b"".join(part.encode() if isinstance(part, str) else bytes(part) for part in body)


def header_list(headers, data):
    """Return headers (a mapping or pairs) as pairs of text, with the length of the body."""
    pairs, names = [], set()
    for name, value in headers.items() if hasattr(headers, "items") else headers or ():
        name, value = _text(name), _text(value)
        if name.lower() in _HOP_BY_HOP or value == "@@@SKIP_HEADER@@@":
            continue
        names.add(name.lower())
        pairs.append([name, value])
    if data and "content-length" not in names:
        pairs.append(["Content-Length", str(len(data))])
    return pairs


def _text(value):
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _milliseconds(timeout):
    """Return a timeout of urllib3 in milliseconds; None means no limit of the caller's."""
    return timeout * 1000 if isinstance(timeout, (int, float)) else None


def _verify(_adapter, connection, _url, verify, _certificate):
    """Choose certificate checks without looking for files of certificates."""
    connection.cert_reqs = "CERT_NONE" if verify is False else "CERT_REQUIRED"
    connection.ca_certs = None
    connection.ca_cert_dir = None


_send = requests.adapters.HTTPAdapter.send


def send(adapter, request, *arguments, **options):
    """Send as `requests` does; what the host refuses becomes its exceptions, in its words."""
    try:
        return _send(adapter, request, *arguments, **options)
    except HostRefusal as error:
        raise error.kind(str(error), request=request) from None
    except requests.exceptions.ConnectionError as error:
        reason = getattr(error.args[0], "reason", None) if error.args else None
        if not isinstance(reason, ConnectionRefusal):
            raise
        raise type(error)(reason.message, request=request) from None


def install():
    """Put the host's connections in the place of sockets."""
    from . import plain

    requests.adapters.HTTPAdapter.send = send
    urllib3.connection.HTTPConnection = HostConnection
    urllib3.connection.HTTPSConnection = HostSecureConnection
    urllib3.connectionpool.HTTPConnectionPool.ConnectionCls = HostConnection
    urllib3.connectionpool.HTTPSConnectionPool.ConnectionCls = HostSecureConnection
    requests.adapters.HTTPAdapter.cert_verify = _verify
    requests.adapters.select_proxy = lambda *_: None
    plain.install()
