"""What a session's worker calls: Berth's runtime, interruptible without harm.

At a call's deadline the host raises SIGINT and calls `cancel`, again and again until the call is over.
The first stops code that computes. It is let through only where the server's code is on the stack and
nothing else above it that would break: the event loop, the bridge to JavaScript. The second ends
code that waits.
"""

import asyncio
import json
import posixpath
import signal
import time

import berth_runtime
from pyodide.ffi import can_run_sync, run_sync

_ROOT = "/app/"
# Whose frames, above the server's own, an interrupt must not hit.
_DELICATE = (posixpath.dirname(asyncio.__file__), "/lib/berth.zip/berth_runtime/http", "<frozen abc>")
# Time for `finally` blocks, before code that swallowed the interrupt gets another.
_AGAIN_AFTER_SECONDS = 0.3
_SLEEP_SLICE_SECONDS = 0.05
_MESSAGE = "The call was interrupted"

_running = None
_wanted = False
_last = 0.0
_plain_sleep = time.sleep


def _exception_for(frame):
    """What to raise in this frame, or None where it would do harm."""
    of_server = False
    while frame is not None:
        file = frame.f_code.co_filename
        if frame.f_code is _run.__code__:
            return KeyboardInterrupt
        if file.startswith(_ROOT):
            of_server = True
        elif not of_server and (file.startswith(_DELICATE) or "pyodide/" in file):
            return None
        frame = frame.f_back
    # In a task or callback of its own, where a KeyboardInterrupt would end the event loop.
    return asyncio.CancelledError if of_server else None


def _on_interrupt(signum, frame):
    global _last, _wanted
    if _running is None or time.monotonic() - _last < _AGAIN_AFTER_SECONDS:
        return
    _wanted = True
    exception = _exception_for(frame)
    if exception is not None:
        _last = time.monotonic()
        raise exception


async def _run(function, argument, interrupted):
    global _running, _wanted, _last
    _running, _wanted, _last = asyncio.current_task(), False, 0.0
    try:
        outcome = await function(argument)
        _running = None
        return outcome
    except (KeyboardInterrupt, asyncio.CancelledError):
        _running = None
        return json.dumps(interrupted)
    finally:
        _running = None


def _sleep(seconds):
    """`time.sleep` that leaves the processor to others, and can be interrupted."""
    if not can_run_sync() or seconds < 0:
        return _plain_sleep(seconds)
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        run_sync(asyncio.sleep(min(left, _SLEEP_SLICE_SECONDS)))
        if _running is not None and _wanted:
            raise KeyboardInterrupt


def prepare():
    """Runs when the snapshot is made."""
    signal.signal(signal.SIGINT, _on_interrupt)
    time.sleep = _sleep
    berth_runtime.prepare()


def start(emit, http, seed):
    """Runs once in each session, before anything of the server."""
    berth_runtime.start(emit, http, seed)


def cancel():
    """Ends a call whose code only waits: no Python runs that an interrupt could hit."""
    global _wanted
    _wanted = True
    # Without a future it waits for, the task is inside `run_sync`: the host ends what that waits
    # for, and a cancellation would only come when the outcome is there.
    if _running is not None and _running._fut_waiter is not None:
        _running.cancel()


async def load(options_json):
    """Runs the entrypoint; gives the outcome as JSON."""
    interrupted = {"kind": "raised", "message": _MESSAGE, "traceback": ""}
    return await _run(berth_runtime.load, options_json, interrupted)


async def request(message_json):
    """Answers one MCP request; gives the outcome as JSON."""
    interrupted = {"kind": "error", "code": -32603, "message": _MESSAGE}
    return await _run(berth_runtime.request, message_json, interrupted)
