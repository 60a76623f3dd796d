"""Which environment variables a server's code looked up and did not find.

A client passes them when it starts a session. A start that fails because one is missing says so.
"""

import asyncio
import builtins
import os
import re
import subprocess
import sys

from . import guards, state
from .tracebacks import message_of

_PASS = (
    'Enter it on the tab Keys of the server, or pass it for one session: "berth … --env NAME", the '
    'header Mcp-Server-Env-NAME, or params._meta["berth/environment"] of initialize'
)
_OTHER_CAUSES = ("ImportError", "ModuleNotFoundError", "SyntaxError", "IndentationError")
# What fails in this way does so for a reason of its own, unless it has to do with a variable.
_OWN_REASONS = (
    ArithmeticError,
    AttributeError,
    ImportError,
    IndexError,
    MemoryError,
    NameError,
    NotImplementedError,
    RecursionError,
    SyntaxError,
    subprocess.SubprocessError,
    # Its time was over.
    KeyboardInterrupt,
    asyncio.CancelledError,
)
# What Python says of a call that does not fit the function.
_CALLED_WRONGLY = re.compile(r"\(\) (?:got|missing|takes) ")
# What a variable that is not set has become.
_ABSENT = re.compile(r"\bNone(?:Type)?\b|No such file or directory: ''")
_SYSTEM_ERRORS = frozenset(
    kind
    for kind in vars(builtins).values()
    if isinstance(kind, type) and issubclass(kind, OSError) and kind is not OSError
)
_CHAIN_MAX = 50
_SHOWN_MAX = 10
_LOOKED_UP_MAX = 500
_NAME_MAX = 128
_LOOKING_UP = (__name__, "os", "_collections_abc", "collections.abc")
# As a text names a variable: in quotes or braces, alone at the start of a line, with an underscore.
_NAMED = re.compile(
    r"""(?:['"`{]|^)([A-Z][A-Z0-9_]{2,})(?=['"`}]|$)|\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b""", re.M
)
_OPTION = re.compile(r"'--([a-z][a-z0-9-]*)'")
_find = os._Environ.__getitem__
_walk = os._Environ.__iter__


def _getitem(environ, name):
    try:
        return _find(environ, name)
    except KeyError:
        _note(name, True)
        raise


def _get(environ, name, default=None):
    """Return a variable; one with a default of its own is not missed."""
    try:
        return _find(environ, name)
    except KeyError:
        _note(name, default is None)
        return default


def _iter(environ):
    """Note that the environment is read as a whole: what is missing is looked for in a copy."""
    state.session.environment_read = True
    return _walk(environ)


def _note(name, wanted):
    session = state.session
    if not session.loading:
        return
    name = os.fsdecode(name) if isinstance(name, bytes) else name
    if not isinstance(name, str) or len(name) > _NAME_MAX:
        return
    if wanted and len(session.missed) < _SHOWN_MAX and _asked_by_server():
        if name not in session.missed:
            session.missed.append(name)
    elif len(session.looked_up) < _LOOKED_UP_MAX:
        session.looked_up[name] = True


def _asked_by_server():
    from .imports import inside

    frame = sys._getframe(2)
    while frame is not None and frame.f_globals.get("__name__") in _LOOKING_UP:
        frame = frame.f_back
    return frame is not None and inside(frame.f_code.co_filename)


def install():
    """Take note of missing variables; done once."""
    os._Environ.__getitem__ = _getitem
    os._Environ.get = _get
    os._Environ.__iter__ = _iter


def _named(text, is_own=False):
    """Return the missing variables that the words of a failed start name.

    A library that looks a variable up may do without it, so a lookup counts only when it
    is named, or when the option of a command line that it stands for is. Where all variables were
    read any name may be one, unless the text `is_own`: Python's own of a file or a name.
    """
    session = state.session
    found = [name for name in session.missed if name in text]
    words = {first or second for first, second in _NAMED.findall(text)}
    options = tuple(option.replace("-", "_").upper() for option in _OPTION.findall(text))
    for name in session.looked_up:
        if name in words or (options and name.upper().endswith(options)):
            found.append(name)
    if not found and options and "Missing option" in text:
        # A variable in place of an option, of another name than it.
        last = {option.rpartition("_")[2] for option in options}
        found = [name for name in session.looked_up if name.upper().rpartition("_")[2] in last]
    if session.environment_read and not is_own:
        found += sorted(word for word in words if word not in os.environ)
    return list(dict.fromkeys(found))[:_SHOWN_MAX]


def _chain(error):
    """Return an exception and those from which it came, groups with what is in them."""
    found, waiting = [], [error]
    while waiting and len(found) < _CHAIN_MAX:
        error = waiting.pop(0)
        if error is None or any(error is each for each in found):
            continue
        found.append(error)
        hidden = error.__suppress_context__
        waiting.append(error.__cause__ or (None if hidden else error.__context__))
        if isinstance(error, BaseExceptionGroup):
            waiting += error.exceptions
    return found


def _has_own_reason(error):
    if isinstance(error, OSError):
        # `EnvironmentError("…")` is what a program says; the system's errors have a number.
        return error.errno is not None or type(error) in _SYSTEM_ERRORS
    if isinstance(error, TypeError):
        return _CALLED_WRONGLY.search(str(error)) is not None
    return isinstance(error, _OWN_REASONS) or str(error) in guards.REFUSALS


def _missing(outcome, error):
    """Return the variables whose absence made a start fail.

    A start that fails for want of a file, a program, a name and the like does so for want of a
    variable only if it says its name, comes from a line with it, or met None in its place.
    """
    message, missed = outcome["message"], state.session.missed
    chain = _chain(error)
    if not any(map(_has_own_reason, chain)):
        return _named(message) or list(missed)
    said = "\n".join(map(message_of, chain))
    named = _named(message) if isinstance(error, SystemExit) else _named(said, is_own=True)
    if named or _ABSENT.search(said):
        return named or list(missed)
    lines = outcome["traceback"]
    return [name for name in missed if re.search(rf"\b{re.escape(name)}\b", lines)]


def explain(outcome, error=None):
    """Add to a start that failed which variables were missing, and how to pass them."""
    if outcome["message"].startswith(_OTHER_CAUSES):
        return outcome
    try:
        names = _missing(outcome, error)
    except Exception:
        # An exception of the server's own may fail at anything that it is asked.
        names = []
    if not names:
        return outcome
    one = len(names) == 1
    said = f"The environment variable{'' if one else 's'} {', '.join(names)} "
    said += f"{'is' if one else 'are'} not set. {_PASS if one else _PASS.replace(' it ', ' them ')}"
    return {**outcome, "message": f"{outcome['message']}\n{said}", "missing_environment": names}
