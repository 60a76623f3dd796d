"""stdout, stderr and `logging` of the server become log events, never part of a result."""

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
_before = {"sent": 0}


def _kept():
    """Return what is kept of the output of the current request."""
    request = state.current.get()
    return request.values if request is not None else _before


def _level(number):
    return next((name for bound, name in _LEVELS if number >= bound), "debug")


def send(level, logger, text):
    """Send one log event, as long as the request has not used up what it may log."""
    if logger == "stderr" and state.session.loading and text.strip():
        state.session.said.append(text)
    counter = _kept()
    sent = counter.get("sent", 0)
    if sent >= _MOST:
        return
    if len(text) > _LONGEST_LINE:
        text = f"{text[:_LONGEST_LINE]}… (cut: a line may have {_LONGEST_LINE} characters)"
    counter["sent"] = sent + len(text) + 1
    state.session.log(level, logger, text)
    if counter["sent"] >= _MOST:
        state.session.log("warning", "berth", f"Output is cut after {_MOST // 1024} KiB a call")


class LineWriter(io.TextIOBase):
    """A text stream that sends every line as a log event."""

    encoding = "utf-8"
    errors = "replace"

    def __init__(self, name, level):
        self._name = name
        self._level = level
        self.buffer = _Bytes(self)

    @property
    def name(self):
        """The stream's name, as files have one."""
        return f"<{self._name}>"

    def writable(self):
        """Return that text can be written."""
        return True

    def isatty(self):
        """Return that this is no terminal."""
        return False

    def fileno(self):
        """Refuse: there is no file behind the stream."""
        raise io.UnsupportedOperation("fileno")

    def write(self, text):
        """Send all complete lines; the rest waits for its end or for `flush`."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        kept = _kept()
        *lines, kept[self._name] = (kept.get(self._name, "") + text).split("\n")
        for line in lines:
            send(self._level, self._name, line)
        if len(kept[self._name]) > _LONGEST_LINE:
            self.flush_line(kept)
        return len(text)

    def flush_line(self, kept):
        """Send what waits for the end of its line."""
        if pending := kept.pop(self._name, ""):
            send(self._level, self._name, pending)

    def reconfigure(self, **_):
        """Accept the options of real streams."""


class _Bytes(io.RawIOBase):
    """`sys.stdout.buffer`: bytes are decoded as UTF-8."""

    def __init__(self, writer):
        self._writer = writer

    def writable(self):
        return True

    def write(self, data):
        self._writer.write(bytes(data).decode("utf-8", "replace"))
        return len(data)


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
    sys.stdout = sys.__stdout__ = LineWriter("stdout", "info")
    sys.stderr = sys.__stderr__ = LineWriter("stderr", "warning")
    sys.stdin = sys.__stdin__ = io.StringIO()


def finish():
    """Send lines that were not ended; called when a request is done."""
    kept = _kept()
    # Most calls write nothing.
    if not kept and len(_before) == 1:
        return
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, LineWriter):
            stream.flush_line(_before)
            stream.flush_line(kept)
