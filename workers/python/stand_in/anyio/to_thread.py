"""Threads are those of the event loop."""

import asyncio


async def run_sync(function, *arguments, **_options):
    """Have a thread call a function."""
    return await asyncio.to_thread(function, *arguments)
