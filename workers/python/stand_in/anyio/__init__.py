"""Stand-in for anyio: the few functions that start and pace a server."""

import asyncio

from . import to_thread


def run(function, *arguments, backend=None, backend_options=None):
    """Run an asynchronous function until it returns."""
    return asyncio.run(function(*arguments))


async def sleep(seconds):
    """Wait."""
    await asyncio.sleep(seconds)


async def sleep_forever():
    """Wait for good."""
    await asyncio.get_running_loop().create_future()


__all__ = ["run", "sleep", "sleep_forever", "to_thread"]
