"""Running the server's program while it thinks that `run()` serves: it stays inside that call.

The program runs in a task of its own. When it calls `run()` the task is parked there for good, with
its open contexts, its background tasks and without the code after `run()`, as on CPython; whoever
waits for the program goes on.
"""

import asyncio

from . import state, threads


class Ended:
    """How a program ended by itself: what it returned, or what it raised."""

    def __init__(self, value=None, error=None):
        self.value = value
        self.error = error


async def launch(program):
    """Run a function until it ends, or runs a server; returns None then, else an Ended."""
    loop = asyncio.get_running_loop()
    state.session.serving = loop.create_future()
    task = loop.create_task(_run(program))
    state.session.programs.append(task)
    try:
        await asyncio.wait({task, state.session.serving}, return_when=asyncio.FIRST_COMPLETED)
    except asyncio.CancelledError as cancelled:
        # The program may have been interrupted just before: that says where it was.
        raise cancelled from (task.result().error if task.done() else None)
    return task.result() if task.done() else None


async def _run(program):
    try:
        return Ended(program())
    except BaseException as error:
        return Ended(error=error)


def _announce(server):
    session = state.session
    if server is not None:
        session.started.append(server)
    if session.serving is not None and not session.serving.done():
        session.serving.set_result(None)


def _stay(future):
    """Wait for a future on the program's own stack. Of a parked session that never comes back: what
    follows in the program does not run then."""
    state.session.staying += 1
    try:
        return threads.stay(future)
    finally:
        state.session.staying -= 1


def serve(server):
    """`run()`: note the server (None: whichever there is) and stay here for good."""
    _announce(server)
    try:
        from pyodide.ffi import can_run_sync
    except ImportError:
        return
    if can_run_sync():
        _stay(asyncio.Future(loop=threads.session_loop()))


def install():
    """Have `asyncio.run()` of a program wait as `run()` does; does nothing outside Pyodide."""
    try:
        from pyodide.webloop import WebLoop
    except ImportError:
        return
    plain = WebLoop.run_until_complete
    if plain.__module__ != WebLoop.__module__:
        return

    def run_until_complete(loop, future):
        """Run until the future is done."""
        if asyncio.current_task() not in state.session.programs:
            return plain(loop, future)
        loop._install_asyncgen_hooks()
        return _stay(asyncio.ensure_future(future, loop=loop))

    WebLoop.run_until_complete = run_until_complete


async def serve_async(server):
    """`run_async()`: note the server and stay here for good."""
    _announce(server)
    await asyncio.get_running_loop().create_future()
