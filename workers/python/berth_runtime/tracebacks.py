"""Tracebacks as the server's author needs them: the server's own frames only."""

import traceback

from . import state
from .imports import inside, relative

_MOST_FRAMES = 20


def reason_of(error):
    """Return the text of an exception, and what limit was met where memory ran out.

    A MemoryError has no text, and what else fails for want of memory may say anything.
    """
    text = str(error)
    if not ran_out(error):
        return text
    # What the code held is not needed to tell of it, and may be all that there is.
    traceback.clear_frames(error.__traceback__)
    megabytes = state.session.memory_mb
    limit = f"{megabytes} MiB (SESSION_MEMORY_MB)" if megabytes else "SESSION_MEMORY_MB"
    said = f"{text}: " if text else ""
    return f"{said}out of memory: a session has {limit}. Process less data at once"


def ran_out(error):
    """Return whether an exception is for want of memory, whatever it calls itself."""
    refused = state.session.memory_refused
    return isinstance(error, MemoryError) or (refused is not None and refused())


def limit_of(error):
    """Return ": " and what limit was met, also where other reasons stay hidden; else nothing."""
    return f": {reason_of(error)}" if isinstance(error, MemoryError) else ""


def message_of(error):
    """Return the type and text of an exception on one line, as the last line of a traceback."""
    if ran_out(error):
        return f"{type(error).__name__}: {reason_of(error)}"
    return "".join(traceback.format_exception_only(error)).strip()


def own_frames(error):
    """Return the traceback of an exception without frames of Berth and of libraries."""
    chain = []
    seen = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        chain.append(error)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return "\n".join(_one(item) for item in reversed(chain))


def _one(error):
    frames = [
        traceback.FrameSummary(relative(frame.filename), frame.lineno, frame.name, line=frame.line)
        for frame in traceback.extract_tb(error.__traceback__)
        if inside(frame.filename)
    ]
    kept = frames[-_MOST_FRAMES:]
    head = "Traceback (most recent call last):\n" if kept else ""
    return head + "".join(traceback.format_list(kept)) + message_of(error)
