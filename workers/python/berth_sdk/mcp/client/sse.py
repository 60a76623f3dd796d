"""The transport of revision 2024-11-05, which needs a stream that stays open."""

import contextlib


def refuse(url):
    """Say that the transport is not available."""
    raise RuntimeError(
        f"The SSE transport to {url} is not available: responses are not streamed in Berth. "
        "Use the server's Streamable HTTP address"
    )


@contextlib.asynccontextmanager
async def sse_client(url, *_, **__):
    """Refuse."""
    refuse(url)
    yield None, None
