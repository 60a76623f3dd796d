"""Tracebacks as the server's author needs them: the server's own frames only."""

import traceback

from .imports import inside, relative

_MOST_FRAMES = 20


def message_of(error):
    """Return the type and text of an exception on one line, as the last line of a traceback."""
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
