"""From the host's failures to the exceptions of urllib3, which `requests` turns into its own."""

import requests.exceptions
import urllib3.exceptions as errors


class HostRefusal(errors.HTTPError):
    """A failure that urllib3 has no error for; `kind` is the exception of `requests`."""

    def __init__(self, kind, message):
        super().__init__(message)
        self.kind = kind


class ConnectionRefusal(errors.NewConnectionError):
    """No connection, as the host allows none: libraries that try another way then do so."""

    def __init__(self, connection, message):
        super().__init__(connection, message)
        self.message = message


def raise_outcome(connection, outcome, connect_ms, read_ms):
    """Raise what urllib3 would have raised for a failure of this kind."""
    kind, message = outcome.get("error"), outcome.get("message", "")
    if kind == "connect_timeout":
        seconds = f" (connect timeout={_shown(connect_ms)})" if connect_ms else ""
        raise errors.ConnectTimeoutError(
            connection, f"Connection to {connection.host} timed out.{seconds}"
        )
    if kind == "read_timeout":
        seconds = f" (read timeout={_shown(read_ms)})" if read_ms else ""
        raise errors.ReadTimeoutError(_Pool(connection), None, f"Read timed out.{seconds}")
    if kind == "dns":
        raise errors.NewConnectionError(connection, f"Failed to resolve: {message}")
    if kind == "connect":
        raise errors.NewConnectionError(
            connection, f"Failed to establish a new connection: {message}"
        )
    if kind == "tls":
        raise errors.SSLError(message)
    if kind == "invalid_url":
        raise HostRefusal(requests.exceptions.InvalidURL, message)
    if kind in ("refused", "limit"):
        raise ConnectionRefusal(connection, message)
    if kind in ("too_large", "truncated"):
        raise HostRefusal(requests.exceptions.ChunkedEncodingError, message)
    raise errors.ProtocolError("Connection aborted.", ConnectionError(message))


class _Pool:
    """Stands for the pool in the text of a timeout."""

    def __init__(self, connection):
        self._connection = connection

    def __str__(self):
        name = type(self._connection).__name__
        return f"{name}(host={self._connection.host!r}, port={self._connection.port})"


def _shown(milliseconds):
    seconds = milliseconds / 1000
    return int(seconds) if seconds == int(seconds) else seconds
