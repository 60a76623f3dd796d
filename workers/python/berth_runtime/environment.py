"""Which environment variables a server's code looked up and did not find.

A client passes them when it starts a session. A start that fails because one is missing says so.
"""

import os
import re
import sys

from . import state

_PASS = (
    'Enter it on the tab Keys of the server, or pass it for one session: "berth … --env NAME", the '
    'header Mcp-Server-Env-NAME, or params._meta["berth/environment"] of initialize'
)
_OTHER_CAUSES = ("ImportError", "ModuleNotFoundError", "SyntaxError", "IndentationError")
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


def _named(text):
    """Return the missing variables that the words of a failed start name.

    A library that looks a variable up may do without it, so a lookup counts only when it
    is named, or when the option of a command line that it stands for is.
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
    if session.environment_read:
        found += sorted(word for word in words if word not in os.environ)
    return list(dict.fromkeys(found))[:_SHOWN_MAX]


def explain(outcome):
    """Add to a start that failed which variables were missing, and how to pass them."""
    if outcome["kind"] != "raised" or outcome["message"].startswith(_OTHER_CAUSES):
        return outcome
    names = _named(outcome["message"]) or list(state.session.missed)
    if not names:
        return outcome
    one = len(names) == 1
    said = f"The environment variable{'' if one else 's'} {', '.join(names)} "
    said += f"{'is' if one else 'are'} not set. {_PASS if one else _PASS.replace(' it ', ' them ')}"
    return {**outcome, "message": f"{outcome['message']}\n{said}", "missing_environment": names}
