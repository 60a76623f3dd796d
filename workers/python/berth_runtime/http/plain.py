"""HTTP for the library's `http.client`, and with it `urllib.request`: over the host, too.

The library writes a request to what it takes for a socket. It goes to the host as soon as it is
whole, and the answer is read as if it had come over the socket.
"""

import errno
import http.client
import io
import socket
import ssl
import urllib.parse

from . import exchange, state

_FRAMING = {"transfer-encoding", "connection", "keep-alive", "content-length"}
_ERRORS = {
    "connect_timeout": lambda text: TimeoutError(errno.ETIMEDOUT, text),
    "read_timeout": lambda text: TimeoutError(text),
    "dns": lambda text: socket.gaierror(socket.EAI_NONAME, text),
    "tls": lambda text: ssl.SSLError(1, text),
    "truncated": lambda text: http.client.IncompleteRead(b""),
}


class _Socket:
    """What `http.client` uses of a socket."""

    def __init__(self, connection, scheme, verify):
        self._connection = connection
        self._scheme = scheme
        self._verify = verify
        self._written = bytearray()
        self._received = b""

    def sendall(self, data, *_flags):
        """Take a part of the request; with the last one it goes to the host."""
        self._written += data
        if _is_whole(self._written):
            written, self._written = bytes(self._written), bytearray()
            self._received = self._answer(written)

    def makefile(self, *_arguments, **_options):
        """Return a file of the answer."""
        received, self._received = self._received, b""
        return io.BytesIO(received)

    def close(self):
        """Forget what was not sent."""
        self._written.clear()

    def settimeout(self, seconds):
        """Have the next answer take no longer."""
        self._connection.timeout = seconds

    def setsockopt(self, *_option):
        """Do nothing."""

    shutdown = setsockopt

    def _answer(self, written):
        head, _, body = written.partition(b"\r\n\r\n")
        line, *fields = head.decode("latin-1").split("\r\n")
        method, target, _version = line.split(" ", 2)
        headers = [[name, value] for name, _, value in (it.partition(": ") for it in fields)]
        if any(_is_chunked(name, value) for name, value in headers):
            body = _joined(body)
        seconds = self._connection.timeout
        limit = seconds * 1000 if isinstance(seconds, (int, float)) else None
        address = self._address(target)
        # The host is told by the address.
        own = urllib.parse.urlsplit(address).netloc
        own = (own, own.rpartition(":")[0])
        headers = [it for it in headers if it[0].lower() != "host" or it[1] not in own]
        meta = {
            "method": method,
            "url": address,
            "headers": _sent(headers, body),
            "connect_timeout_ms": limit,
            "read_timeout_ms": limit,
            "verify": self._verify,
        }
        outcome, content = exchange(meta, body)
        if outcome["kind"] == "error":
            text = outcome.get("message", "")
            raise _ERRORS.get(outcome.get("error"), ConnectionError)(text)
        return _as_received(outcome, content, method)

    def _address(self, target):
        if target.startswith(("http://", "https://")):
            return target
        host, port = self._connection.host, self._connection.port
        host = f"[{host}]" if ":" in host else host
        return f"{self._scheme}://{host}:{port}{target}"


def _is_whole(written):
    """Return whether a request is there with all of its body."""
    end = written.find(b"\r\n\r\n")
    if end < 0:
        return False
    head = bytes(written[:end]).lower()
    if b"\r\ntransfer-encoding:" in head:
        return written.endswith(b"\r\n0\r\n\r\n", end)
    _, told, length = head.partition(b"\r\ncontent-length:")
    wanted = int(length.split(b"\r\n")[0]) if told else 0
    return len(written) >= end + 4 + wanted


def _is_chunked(name, value):
    return name.lower() == "transfer-encoding" and "chunked" in value.lower()


def _joined(body):
    """Return a body without the framing of its chunks."""
    parts = []
    while body:
        size, _, body = body.partition(b"\r\n")
        length = int(size.partition(b";")[0] or b"0", 16)
        parts.append(body[:length])
        if not length:
            break
        body = body[length + 2 :]
    return b"".join(parts)


def _sent(headers, body):
    kept = [[name, value] for name, value in headers if name.lower() not in _FRAMING]
    has_body = body or any(name.lower() == "content-length" for name, _ in headers)
    return [*kept, ["Content-Length", str(len(body))]] if has_body else kept


def _as_received(outcome, content, method):
    lines = [f"HTTP/1.1 {outcome['status']} {outcome.get('reason') or ''}"]
    lengths = []
    for name, value in outcome["headers"]:
        if name.lower() == "content-length":
            lengths.append(value)
        elif name.lower() not in _FRAMING:
            lines.append(f"{name}: {value}")
    # The length that a HEAD tells is that of no body that comes.
    length = lengths[0] if lengths and method == "HEAD" else len(content)
    lines += [f"Content-Length: {length}", "Connection: close", "", ""]
    return "\r\n".join(lines).encode("latin-1", "replace") + content


def _connecting(plain, scheme):
    def connect(connection):
        """Connect through the host; where only `requests` may, as ever."""
        if state.session.profile == "restricted":
            return plain(connection)
        context = getattr(connection, "_context", None)
        verify = context is None or context.verify_mode != ssl.CERT_NONE
        connection.sock = _Socket(connection, scheme, verify)

    return connect


def install():
    """Put the host in the place of the library's sockets."""
    for kind, scheme in (
        (http.client.HTTPConnection, "http"),
        (http.client.HTTPSConnection, "https"),
    ):
        kind.connect = _connecting(kind.connect, scheme)
