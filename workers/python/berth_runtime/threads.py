"""Threads without threads: one runs when it is started, in its starter, up to where it would wait.

A daemon thread, or a timer, that comes to such a place stays there for good, and its starter goes
on: most only wait, to tidy up or to report now and then. What a thread has an event loop run goes
on in the session's loop. A thread that is no daemon sleeps as its starter would.
"""

import asyncio
import contextlib
import contextvars
import queue
import sys
import threading
import time

_WHY = "threads are not available in the sandbox: call the function directly"
# Between two looks at what is waited for.
_SLICE_SECONDS = 0.01
# How long something that no thread can do any more is waited for.
_PATIENCE_SECONDS = 5
# The threads that run, each inside the one before.
_running = []
# Those that go no further.
_left = []


class Waits(BaseException):
    """Leaves a thread where it would wait; no `except Exception` of the thread's own stops it."""


class _Handle:
    """What a thread object asks about its thread."""

    def __init__(self, thread):
        self._thread = thread
        self.ident = id(self)
        self.done = False

    def is_done(self):
        """Return whether the thread has come to its end."""
        return self.done

    def join(self, timeout=None):
        """Return if the thread has ended, or need not be waited for."""
        if not self.done and timeout is None:
            raise RuntimeError(f"{self._thread.name} waits and never ends, as {_WHY}")

    def _set_done(self):
        self.done = True


def leave():
    """Leave the thread that runs, where it would wait for something; does nothing outside one."""
    if _running:
        raise Waits


def _start(thread):
    if not thread._initialized:
        raise RuntimeError("thread.__init__() not called")
    if thread._started.is_set():
        raise RuntimeError("threads can only be started once")
    handle = thread._handle = thread._os_thread_handle = _Handle(thread)
    thread._ident = thread._native_id = handle.ident
    thread._started.set()
    loop = asyncio.events._get_running_loop()
    _running.append(thread)
    asyncio.events._set_running_loop(None)
    try:
        contextvars.copy_context().run(thread.run)
        handle.done = True
    except Waits:
        _tell(thread)
    # An interrupt is not the thread's own and goes on to whoever runs the call.
    except SystemExit:
        handle.done = True
    except Exception:
        handle.done = True
        threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), thread)))
    finally:
        asyncio.events._set_running_loop(loop)
        _running.remove(thread)


def _tell(thread):
    _left.append(thread.name)
    if len(_left) == 1:
        print(f"{thread.name} goes no further than to where it waits, as {_WHY}", file=sys.stderr)


def _current():
    return _running[-1] if _running else _plain_current()


def _wait(condition, timeout=None):
    """`Condition.wait` that leaves a thread, and lets the event loop go on meanwhile elsewhere."""
    if not condition._is_owned():
        raise RuntimeError("cannot wait on un-acquired lock")
    if timeout is None or timeout > 0:
        leave()
    waiter = threading.Lock()
    waiter.acquire()
    condition._waiters.append(waiter)
    saved = condition._release_save()
    begun = time.monotonic()
    try:
        while waiter.locked():
            waited = time.monotonic() - begun
            if timeout is not None and waited >= timeout:
                break
            if timeout is None and waited > _PATIENCE_SECONDS and _left:
                raise RuntimeError(
                    f"nothing ends this wait: {_left[-1]} goes no further, as {_WHY}"
                )
            time.sleep(_SLICE_SECONDS)
        return not waiter.locked()
    finally:
        condition._acquire_restore(saved)
        if waiter.locked():
            with contextlib.suppress(ValueError):
                condition._waiters.remove(waiter)


def _sleeping(plain):
    def sleep(seconds, /):
        if seconds > 0 and _running and (_running[-1].daemon or isinstance(_running[-1], _TIMER)):
            leave()
        return plain(seconds)

    return sleep


def _in_loop(plain, prepared):
    """Return a method of event loops in which no thread stays: the session's loop goes on."""

    def run(loop, *arguments):
        if not _running:
            return plain(loop, *arguments)
        prepared(loop, *arguments)
        raise Waits

    return run


_TIMER = threading.Timer
_plain_current = threading.current_thread


def install():
    """Have threads run in their starter; done once."""
    if threading.Thread.start is _start:
        return
    threading.Thread.start = _start
    threading.current_thread = threading.currentThread = _current
    threading.Condition.wait = _wait
    # The compiled one would block the whole interpreter.
    queue.SimpleQueue = queue._PySimpleQueue
    time.sleep = _sleeping(time.sleep)
    try:
        from pyodide.webloop import WebLoop
    except ImportError:
        return
    WebLoop.run_until_complete = _in_loop(
        WebLoop.run_until_complete, lambda loop, future: asyncio.ensure_future(future, loop=loop)
    )
    WebLoop.run_forever = _in_loop(WebLoop.run_forever, lambda loop: None)
