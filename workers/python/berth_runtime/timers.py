"""Callbacks of the event loop that are still to run, so that a parked session has them again.

Pyodide hands each to JavaScript, of which nothing is parked.
"""

import asyncio
import functools
import itertools
import math
import time

from . import threads

# The longest that JavaScript waits.
_MOST_MS = 2**31 - 1

_waiting = {}
_numbers = itertools.count(1)


def _call_later(loop, delay, callback, *args, context=None):
    """Arrange for a callback as Pyodide's loop does, and keep it until it runs."""
    if delay < 0:
        raise ValueError("Can't schedule in the past")
    handle = asyncio.Handle(callback, args, loop, context=context)
    if delay != math.inf:
        number = next(_numbers)
        _waiting[number] = (handle, time.monotonic() + delay)
        _arm(number, delay)
    return handle


def _arm(number, seconds):
    from pyodide import webloop
    from pyodide.ffi import create_once_callable

    # It has only the number: what JavaScript holds is never given back once the session is parked.
    run = create_once_callable(functools.partial(_run, number), _may_syncify=True)
    webloop.scheduleCallback(run, min(seconds * 1000, _MOST_MS))


def _run(number):
    handle, _ = _waiting.pop(number)
    loop = handle._loop
    loop._install_running_loop()
    loop._install_asyncgen_hooks()
    if handle.cancelled():
        return
    try:
        threads.run_for(loop, handle._run)
    except SystemExit as error:
        if not loop._system_exit_handler:
            raise
        loop._system_exit_handler(error.code)
    except KeyboardInterrupt:
        if not loop._keyboard_interrupt_handler:
            raise
        loop._keyboard_interrupt_handler()


def next_due():
    """Return in how many seconds the next callback is due; None when none is."""
    now = time.monotonic()
    return min(
        (due - now for handle, due in _waiting.values() if not handle.cancelled()), default=None
    )


def arm_again():
    """Have JavaScript run what waits: it is another one than it was given to."""
    now = time.monotonic()
    for number, (handle, due) in list(_waiting.items()):
        if handle.cancelled():
            del _waiting[number]
        else:
            _arm(number, max(0, due - now))


def install():
    """Keep the callbacks of every loop; does nothing outside Pyodide."""
    try:
        from pyodide.webloop import WebLoop
    except ImportError:
        return
    WebLoop.call_later = _call_later
