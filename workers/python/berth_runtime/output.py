"""stdout, stderr and `logging` of the server become log events, never part of a result."""

import codecs
import contextlib
import io
import logging
import sys

from . import state

_MOST = 256 * 1024
_LONGEST_LINE = 8 * 1024
_LEVELS = (
    (logging.CRITICAL, "critical"),
    (logging.ERROR, "error"),
    (logging.WARNING, "warning"),
    (logging.INFO, "info"),
)
_SAID_MAX = 1500
ALL = {name for _, name in _LEVELS} | {"debug"}
WARNINGS = {"critical", "error", "warning"}
_before = {"sent": 0}
_layers = []


def _kept():
    """Return what is kept of the output of the current request."""
    request = state.current.get()
    return request.values if request is not None else _before


def _level(number):
    return next((name for bound, name in _LEVELS if number >= bound), "debug")


def send(level, logger, text):
    """Send one log event, as long as the request has not used up what it may log."""
    if state.session.loading:
        state.session.said.extend((level, line) for line in text.split("\n") if line.strip())
    counter = _kept()
    sent = counter.get("sent", 0)
    if sent >= _MOST:
        return
    if len(text) > _LONGEST_LINE:
        text = f"{text[:_LONGEST_LINE]}… (line truncated at {_LONGEST_LINE} characters)"
    counter["sent"] = sent + len(text) + 1
    state.session.log(level, logger, text)
    if counter["sent"] >= _MOST:
        state.session.log(
            "warning", "berth", f"Output truncated: the limit is {_MOST // 1024} KiB per call"
        )


def last_words(levels):
    """Return the last lines of what a start said at one of these levels, in their order."""
    lines, room = [], _SAID_MAX
    for level, line in reversed(state.session.said):
        room -= len(line) + 1
        if level in levels and room >= 0:
            lines.insert(0, line)
    return lines


class _Lines(io.RawIOBase):
    """The lowest layer of an output stream, which programs also reach past the text."""

    def __init__(self, name, number, level):
        self.name = f"<{name}>"
        self._stream = name
        self._number = number
        self._level = level
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def writable(self):
        return True

    def fileno(self):
        return self._number

    def write(self, data):
        self.put(self._decoder.decode(data))
        return len(data)

    def put(self, text):
        """Send all complete lines; the rest waits for its end, or for the end of the request."""
        kept = _kept()
        *lines, kept[self._stream] = (kept.get(self._stream, "") + text).split("\n")
        for line in lines:
            send(self._level, self._stream, line)
        if len(kept[self._stream]) > _LONGEST_LINE:
            self.flush_line(kept)

    def flush_line(self, kept):
        """Send what waits for the end of its line."""
        if pending := kept.pop(self._stream, ""):
            send(self._level, self._stream, pending)


class _Bytes(io.BufferedWriter):
    """`sys.stdout.buffer`; holds nothing back, so that text and bytes keep their order."""

    def write(self, data):
        written = super().write(data)
        self.flush()
        return written


class LineWriter(io.TextIOWrapper):
    """A standard output stream as CPython has it, of which every line is sent as a log event."""

    def __init__(self, lines, errors):
        super().__init__(_Bytes(lines), "utf-8", errors, line_buffering=errors != "strict")
        self.mode = "w"
        self._lines = lines

    def write(self, text):
        """Pass text on as it is; that of a closed or detached stream is an error."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if self.closed:
            raise ValueError("I/O operation on closed file.")
        self._lines.put(text)
        return len(text)


class _Nothing(io.RawIOBase):
    """Standard input: empty."""

    name = "<stdin>"

    def readable(self):
        return True

    def fileno(self):
        return 0

    def readinto(self, _buffer):
        return 0


_emit_plainly = logging.StreamHandler.emit


def _emit(handler, record):
    """Send a record of `logging` with its own level and logger instead of as a line of stderr."""
    if not isinstance(handler.stream, LineWriter):
        return _emit_plainly(handler, record)
    try:
        send(_level(record.levelno), record.name, handler.format(record))
    except Exception:
        handler.handleError(record)


def install():
    """Take over the standard streams; standard input is empty."""
    logging.StreamHandler.emit = _emit
    _layers[:] = _Lines("stdout", 1, "info"), _Lines("stderr", 2, "warning")
    sys.stdout = sys.__stdout__ = LineWriter(_layers[0], "strict")
    sys.stderr = sys.__stderr__ = LineWriter(_layers[1], "backslashreplace")
    sys.stdin = sys.__stdin__ = io.TextIOWrapper(io.BufferedReader(_Nothing()), "utf-8")
    sys.stdin.mode = "r"


def finish():
    """Send lines that were not ended; called when a request is done."""
    for stream in (sys.stdout, sys.stderr):
        # A wrapper of the program's own around our bytes keeps text back.
        if type(stream) is io.TextIOWrapper:
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
    kept = _kept()
    # Most calls write nothing.
    if not kept and len(_before) == 1:
        return
    for lines in _layers:
        lines.flush_line(_before)
        lines.flush_line(kept)
