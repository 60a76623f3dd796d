"""Which environment variables a server's code asked for and did not find.

A client passes them when it begins a session; a start that fails for want of one says so.
"""

import os
import sys
from collections.abc import Mapping

from . import state

_PASS = (
    'pass it in params._meta["berth/environment"] of initialize, or as base64 JSON in the header '
    "Mcp-Server-Environment"
)
_OTHER_CAUSES = ("ImportError", "ModuleNotFoundError", "SyntaxError", "IndentationError")
_SHOWN_MAX = 10
_NAME_MAX = 128
_MESSAGE_MAX = 400
_LOOKING_UP = (__name__, "os", "_collections_abc", "collections.abc")
_find = os._Environ.__getitem__


def _getitem(environ, name):
    try:
        return _find(environ, name)
    except KeyError:
        _note(name)
        raise


def _get(environ, name, default=None):
    """Return a variable; one with a default of its own is not missed."""
    if default is None:
        return Mapping.get(environ, name)
    try:
        return _find(environ, name)
    except KeyError:
        return default


def _note(name):
    missed = state.session.missed
    if not state.session.loading or not isinstance(name, str) or len(name) > _NAME_MAX:
        return
    if name not in missed and len(missed) < _SHOWN_MAX and _asked_by_server():
        missed.append(name)


def _asked_by_server():
    from .imports import inside

    frame = sys._getframe(2)
    while frame is not None and frame.f_globals.get("__name__") in _LOOKING_UP:
        frame = frame.f_back
    return frame is not None and inside(frame.f_code.co_filename)


def install():
    """Take note of variables that are not there; done once."""
    os._Environ.__getitem__ = _getitem
    os._Environ.get = _get


def explain(outcome):
    """Add to a start that failed which variables were missing, and how to pass them."""
    if outcome["kind"] != "raised" or outcome["message"].startswith(_OTHER_CAUSES):
        return outcome
    names = [name for name in state.session.missed if name in outcome["message"]]
    names = names or list(state.session.missed)
    if not names:
        return outcome
    one = len(names) == 1
    said = f"The environment variable{'' if one else 's'} {', '.join(names)} "
    said += f"{'is' if one else 'are'} not set: {_PASS if one else _PASS.replace('it', 'them', 1)}"
    message = f"{outcome['message'][:_MESSAGE_MAX]}\n{said}"
    return {**outcome, "message": message, "missing_environment": names}
