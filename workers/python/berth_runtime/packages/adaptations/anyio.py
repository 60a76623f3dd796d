"""anyio: its threads are those of the session, and `run` is that of asyncio."""

import asyncio
import concurrent.futures
import contextvars
import functools

_loop = contextvars.ContextVar("berth_anyio_loop")


async def _run_sync(function, *arguments, **_options):
    loop = asyncio.get_running_loop()
    context = contextvars.copy_context()
    context.run(_loop.set, loop)
    work = functools.partial(context.run, function, *arguments)
    return await loop.run_in_executor(None, work)


def _loop_outside():
    try:
        return _loop.get()
    except LookupError:
        raise RuntimeError("This function can only be run from an AnyIO worker thread") from None


def _from_thread(function, *arguments, **_options):
    return asyncio.run_coroutine_threadsafe(function(*arguments), _loop_outside()).result()


def _from_thread_sync(function, *arguments, **_options):
    found = concurrent.futures.Future()

    def call():
        try:
            found.set_result(function(*arguments))
        except BaseException as error:
            found.set_exception(error)

    _loop_outside().call_soon_threadsafe(call)
    return found.result()


def _run(function, *arguments, backend="asyncio", backend_options=None):
    return asyncio.run(function(*arguments))


def adapt(module):
    """Fit `anyio`, `anyio.to_thread` and `anyio.from_thread`."""
    import anyio.from_thread
    import anyio.to_thread

    module.run = _run
    anyio.to_thread.run_sync = _run_sync
    anyio.from_thread.run = _from_thread
    anyio.from_thread.run_sync = _from_thread_sync
