"""The stdio transport: Berth carries the messages, so the streams are empty."""

import contextlib


@contextlib.asynccontextmanager
async def stdio_server(*_args, **_options):
    """Yield what `Server.run` takes as streams."""
    yield None, None
