"""Threads that take turns: each has a stack of its own and runs until it waits or ends.

What waits (locks, and with them events, conditions, queues, futures and joins; `time.sleep`;
requests) lets the others run. Code that only computes does not: nothing stops a thread in between.
The standard library's own classes are used, on a few parts that stand for the compiled ones.
"""

import _thread
import contextlib
import importlib._bootstrap
import itertools
import queue
import threading
import types

from . import executors, loops, pools, stacks
from .locks import Lock

__all__ = [
    "current_call",
    "inside",
    "install",
    "interrupt",
    "run_for",
    "session_loop",
    "started",
    "stay",
    "suspend",
]

# Each takes memory beyond what Python counts.
_MOST = 256

current_call = stacks.current_call
inside = stacks.inside
interrupt = stacks.interrupt
run_for = stacks.run_for
session_loop = stacks.session_loop
stay = stacks.stay
suspend = stacks.suspend

_idents = itertools.count(_thread.get_ident() + 1)
_alive = set()
_counted = [0]


class Handle:
    """What a thread object asks about its thread."""

    def __init__(self):
        self.ident = None
        self._done = threading.Event()

    def is_done(self):
        """Return whether the thread has come to its end."""
        return self._done.is_set()

    def join(self, timeout=None):
        """Wait until the thread has come to its end, at most for some seconds."""
        self._done.wait(timeout)

    def _set_done(self):
        self._done.set()


def started():
    """Return how many threads there have ever been."""
    return _counted[0]


def _start(function, handle=None, daemon=True):
    """Stand for `_thread.start_joinable_thread`."""
    if len(_alive) >= _MOST or not stacks.can_wait():
        raise RuntimeError("can't start new thread")
    begin(function, handle or Handle())


def begin(function, handle):
    """Have a thread object's function run as a thread, when the one that runs waits."""
    handle.ident = handle.ident or next(_idents)
    handle._done.clear()
    _counted[0] += 1
    _alive.add(handle.ident)
    context = getattr(getattr(function, "__self__", None), "_context", None)
    if context is not None and len(context) == 0:
        context.run(stacks.carry, stacks.carried())
    stacks.spawn(handle.ident, lambda: _body(function, handle))


def _body(function, handle):
    try:
        # The thread object has told of what its own function raised.
        with contextlib.suppress(BaseException):
            function()
    finally:
        _alive.discard(handle.ident)
        handle._set_done()


def install():
    """Have threads take turns; done once, and nothing outside Pyodide."""
    if threading._allocate_lock is Lock:
        return
    try:
        import pyodide.webloop  # noqa: F401
    except ImportError:
        return
    stacks.install()
    threading._start_joinable_thread = _start
    threading._ThreadHandle = Handle
    threading._allocate_lock = threading.Lock = Lock
    # `RLock` then is the one in Python, on the lock above.
    threading._CRLock = None
    threading.get_ident = stacks.get_ident
    _install_local()
    # The compiled one would block the whole interpreter.
    queue.SimpleQueue = queue._PySimpleQueue
    importlib._bootstrap._thread = types.SimpleNamespace(
        RLock=_thread.RLock, allocate_lock=Lock, get_ident=stacks.get_ident
    )
    executors.install(begin)
    pools.install()
    loops.install()


def _install_local():
    import _threading_local

    # Nothing comes in between.
    _threading_local.RLock = contextlib.nullcontext
    threading.local = _threading_local.local
