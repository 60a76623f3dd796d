"""The transport of revision 2024-11-05, which needs a stream that stays open."""

import contextlib


def refuse(url):
    """Say that the transport cannot be had."""
    raise RuntimeError(
        f"{url} cannot be asked by server-sent events: answers arrive whole inside Berth. "
        "Use the server's Streamable HTTP address"
    )


@contextlib.asynccontextmanager
async def sse_client(url, *_, **__):
    """Refuse."""
    refuse(url)
    yield None, None
