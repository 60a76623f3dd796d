"""aiohttp: its connections end at the host instead of a socket.

What the client writes is read as one HTTP request; when it is whole, the host carries it out, and
the client's own parser is fed the answer. Everything above a connection is aiohttp's own.
"""

import asyncio

from ...http import exchange_async, header_list

_NO_BODY = (204, 304)
_FRAMING = ("content-length", "transfer-encoding", "connection")


def adapt(aiohttp):
    """Fit `TCPConnector`, which every session uses."""

    async def _create_connection(self, req, traces, timeout):
        protocol = self._factory()
        verify = req.ssl is not False and self._ssl is not False
        transport = _HostTransport(protocol, req.url, verify, aiohttp)
        protocol.connection_made(transport)
        return protocol

    aiohttp.TCPConnector._create_connection = _create_connection


class _HostTransport(asyncio.Transport):
    """What aiohttp writes to, for one request."""

    def __init__(self, protocol, url, verify, aiohttp):
        super().__init__()
        self._protocol = protocol
        self._origin = str(url.origin())
        self._verify = verify
        self._aiohttp = aiohttp
        self._written = bytearray()
        self._task = None
        self._closed = False

    def write(self, data):
        """Take more of the request; a whole one goes to the host."""
        self._written += data
        if self._task is not None or self._closed:
            return
        request = _read_request(bytes(self._written))
        if request is not None:
            self._task = asyncio.get_running_loop().create_task(self._exchange(*request))

    async def _exchange(self, method, target, headers, body):
        meta = {
            "method": method,
            "url": self._origin + target,
            "headers": header_list(headers, body),
            "connect_timeout_ms": None,
            "read_timeout_ms": None,
            "verify": self._verify,
        }
        outcome, content = await exchange_async(meta, body)
        if self._closed:
            return
        if outcome["kind"] == "error":
            self._fail(outcome.get("error"), outcome.get("message", ""))
        else:
            self._protocol.data_received(_answer(method, outcome, content))

    def _fail(self, kind, message):
        errors = self._aiohttp
        timed_out = kind in ("connect_timeout", "read_timeout")
        error = errors.SocketTimeoutError if timed_out else errors.ClientConnectionError
        self._closed = True
        self._protocol.set_exception(error(message))

    def close(self):
        """Forget the request."""
        if not self._closed:
            self._closed = True
            self._protocol.connection_lost(None)

    abort = close

    def is_closing(self):
        """Return whether the request is over."""
        return self._closed

    def get_extra_info(self, name, default=None):
        """Return nothing: there is no socket."""
        return default

    def is_reading(self):
        """Return that answers are always taken."""
        return True

    def pause_reading(self):
        """Do nothing: the answer is there already."""

    resume_reading = pause_reading

    def get_write_buffer_size(self):
        """Return that nothing waits."""
        return 0

    def set_write_buffer_limits(self, high=None, low=None):
        """Do nothing: nothing waits."""


def _read_request(data):
    """Return method, target, headers and body of a request, or None while it is not whole."""
    head, end, rest = data.partition(b"\r\n\r\n")
    if not end:
        return None
    first, *lines = head.decode("latin-1").split("\r\n")
    method, target, _ = first.split(" ", 2)
    headers = [tuple(line.split(": ", 1)) for line in lines if ": " in line]
    known = {name.lower(): value for name, value in headers}
    if known.get("transfer-encoding", "").lower() == "chunked":
        body = _unchunked(rest)
    else:
        length = int(known.get("content-length", 0))
        body = rest[:length] if len(rest) >= length else None
    if body is None:
        return None
    return method, target, [pair for pair in headers if pair[0].lower() not in _FRAMING], body


def _unchunked(data):
    body, at = bytearray(), 0
    while (end := data.find(b"\r\n", at)) != -1:
        size = int(data[at:end].split(b";")[0], 16)
        if size == 0:
            return bytes(body) if data.find(b"\r\n", end + 2) != -1 else None
        if len(data) < end + 2 + size + 2:
            return None
        body += data[end + 2 : end + 2 + size]
        at = end + 2 + size + 2
    return None


def _answer(method, outcome, content):
    """Return an answer as it comes over a wire, framed by its length."""
    status, reason = outcome["status"], outcome.get("reason") or ""
    kept = [(n, v) for n, v in outcome["headers"] if n.lower() not in _FRAMING]
    if method == "HEAD":
        kept += [(n, v) for n, v in outcome["headers"] if n.lower() == "content-length"]
    elif status not in _NO_BODY:
        kept.append(("Content-Length", str(len(content))))
    kept.append(("Connection", "close"))
    lines = [f"HTTP/1.1 {status} {reason}", *(f"{name}: {value}" for name, value in kept)]
    head = "\r\n".join(lines) + "\r\n\r\n"
    return head.encode("latin-1", "replace") + content
