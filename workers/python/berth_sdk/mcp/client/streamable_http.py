"""The Streamable HTTP transport of clients."""

import contextlib

from berth_runtime.connections.http import HttpConnection


@contextlib.asynccontextmanager
async def streamablehttp_client(url, headers=None, timeout=30, *_, auth=None, **__):
    """Yield what `ClientSession` takes as streams, and a function that tells the session's id."""
    connection = HttpConnection(url, headers_with(headers, auth), seconds_of(timeout))
    try:
        yield connection, None, lambda: connection.session_id
    finally:
        await connection.close()


@contextlib.asynccontextmanager
async def streamable_http_client(url, *, http_client=None, **options):
    """Yield the same; the headers of an httpx client are sent along."""
    headers = {**dict(getattr(http_client, "headers", {})), **(options.pop("headers", None) or {})}
    for name in ("accept", "accept-encoding", "connection", "content-type"):
        headers.pop(name, None)
    async with streamablehttp_client(url, headers, **options) as streams:
        yield streams


def headers_with(headers, auth):
    """Return headers with what a token or an httpx authentication adds to a request."""
    found = dict(headers or {})
    if isinstance(auth, str) and auth != "oauth":
        found["Authorization"] = f"Bearer {auth}"
    elif hasattr(auth, "token"):
        token = auth.token
        secret = token.get_secret_value() if hasattr(token, "get_secret_value") else token
        found["Authorization"] = f"Bearer {secret}"
    elif auth is not None:
        raise RuntimeError("In Berth, a client can authenticate with a bearer token only")
    return found


def seconds_of(timeout):
    """Return a time limit, given as a number or a timedelta, in seconds."""
    return timeout.total_seconds() if hasattr(timeout, "total_seconds") else timeout
