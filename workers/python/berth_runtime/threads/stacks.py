"""Stacks of their own, which wait while others run: what threads are made of.

One stack runs at a time, until it waits or ends. Code that begins to run while others wait is the
main thread's; a stack that goes on is again that of its thread.
"""

import _thread
import asyncio
import collections
import contextlib
import contextvars

from .. import state
from . import collecting

_CANNOT_WAIT = "this cannot wait for a thread here: nothing else would run"

# The call whose code runs, as whoever counts calls has it.
current_call = contextvars.ContextVar("berth_call", default=None)
# What code takes along into the threads that it starts, which otherwise begin without context.
_CARRIED = (state.current, current_call)

_MAIN = _thread.get_ident()
_interrupted = object()
# By future: whose wait it is, None for one of a thread.
_waits = {}
_session = {}
_plain_run_sync = None
# Stacks that wait now.
_waiting = 0


class _Here:
    """The thread that runs: its number, None for the main one, and the loop it has set."""

    def __init__(self, ident=None):
        self.ident = ident
        self.loop = None


_main = _Here()
_here = _main


def session_loop():
    """Return the event loop that ends waits."""
    return _session["loop"]


def inside():
    """Return whether a thread runs, and not the main one."""
    return _here is not _main


def get_ident():
    """Return the number of the thread that runs."""
    return _here.ident or _MAIN


def own_loop():
    """Return the event loop that the thread which runs has set for itself, if any."""
    return _here.loop


def set_own_loop(loop):
    """Set the event loop of the thread that runs."""
    _here.loop = loop


def can_wait():
    """Return whether the stack that runs may wait while others run."""
    from pyodide.ffi import can_run_sync

    return can_run_sync()


def carried():
    """Return what a thread or task takes along: variables of contexts, with their values."""
    return [(variable, variable.get()) for variable in _CARRIED]


def carry(values):
    """Have the context that is current what :func:`carried` returned elsewhere."""
    for variable, value in values:
        variable.set(value)


def spawn(ident, function):
    """Run a function on a stack of its own, as the thread `ident`, when the one that runs waits."""
    collecting.begin()
    session_loop().call_soon(_run, ident, function)


def _run(ident, function):
    global _here
    _here = _Here(ident)
    # That is set for all callbacks, but it runs in the main thread.
    asyncio._set_running_loop(None)
    try:
        function()
    finally:
        _here = _main


def run_for(loop, function):
    """Run a callback of a loop as the thread whose loop it is; the main one for most."""
    global _here
    _here = getattr(loop, "_berth_thread", _main)
    try:
        function()
    finally:
        _here = _main


def own(loop):
    """Have a loop's callbacks run as the thread that runs now."""
    loop._berth_thread = _here


def suspend(awaitable):
    """Have the stack that runs wait for what raises no error, and return what comes of it."""
    global _here, _waiting
    if _waiting > 0:
        collecting.begin()
    collecting.now_and_then()
    here, _here = _here, _main
    _waiting += 1
    try:
        return _plain_run_sync(awaitable)
    finally:
        _waiting -= 1
        _here = here


async def _outcome(awaitable):
    try:
        return await awaitable, None
    except BaseException as raised:
        return None, raised


def run_sync(awaitable):
    """Wait for something, and return or raise what comes of it.

    A stack is told of an error by a value: one that an error wakes up could never wait again while
    others do.
    """
    if isinstance(awaitable, asyncio.Future):
        # It may be of a thread's own loop.
        turn = asyncio.Future(loop=session_loop())
        awaitable.add_done_callback(lambda _: _settle(turn, True))
        suspend(turn)
        return awaitable.result()
    value, raised = suspend(_outcome(awaitable))
    if raised is not None:
        raise raised
    return value


def stay(awaitable):
    """Have the program's stack wait for what ends only with the session."""
    global _here
    here, _here = _here, _main
    try:
        return _plain_run_sync(awaitable)
    finally:
        _here = here


def new_queue():
    """Return a queue in which to wait."""
    return collections.deque()


def wait(queue, seconds=None):
    """Wait for one's turn in a queue, at most for some seconds; returns whether it came.

    Raises KeyboardInterrupt in a call that is to end.
    """
    if not can_wait():
        raise RuntimeError(_CANNOT_WAIT)
    loop = session_loop()
    turn = asyncio.Future(loop=loop)
    queue.append(turn)
    _waits[turn] = None if inside() else current_call.get()
    timer = None if seconds is None else loop.call_later(seconds, _settle, turn, False)
    try:
        outcome = suspend(turn)
    finally:
        del _waits[turn]
        if timer is not None:
            timer.cancel()
        with contextlib.suppress(ValueError):
            queue.remove(turn)
    if outcome is _interrupted:
        raise KeyboardInterrupt
    return outcome


def wake(queue):
    """Give the first that waits in a queue its turn; returns whether there was one."""
    while queue:
        if _settle(queue.popleft(), True):
            return True
    return False


def _settle(turn, outcome):
    if turn.done():
        return False
    turn.set_result(outcome)
    return True


def interrupt(call):
    """End the waits of a call's own code; those of its threads go on."""
    for turn, owner in list(_waits.items()):
        if owner is call:
            _settle(turn, _interrupted)


def install():
    """Have all that waits go through here, in the loop that runs now, or would."""
    global _plain_run_sync
    from pyodide import ffi, webloop

    _session["loop"] = asyncio.get_event_loop()
    _plain_run_sync = ffi.run_sync
    ffi.run_sync = webloop.run_sync = run_sync
