"""anyio: what would run in a thread is called at once; `run` is that of asyncio."""

import asyncio


async def _run_sync(function, *arguments, **_options):
    return function(*arguments)


def _from_thread(function, *arguments, **_options):
    found = function(*arguments)
    return asyncio.run(found) if asyncio.iscoroutine(found) else found


def _run(function, *arguments, backend="asyncio", backend_options=None):
    return asyncio.run(function(*arguments))


def adapt(module):
    """Fit `anyio`, `anyio.to_thread` and `anyio.from_thread`."""
    import anyio.from_thread
    import anyio.to_thread

    module.run = _run
    anyio.to_thread.run_sync = _run_sync
    anyio.from_thread.run = anyio.from_thread.run_sync = _from_thread
