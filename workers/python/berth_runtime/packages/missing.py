"""What to say about modules that cannot be had."""

import sys

from .. import packages, state
from .missing_table import ALTERNATIVES, NATIVE, NO_PROCESS, NOT_HERE, ON_NATIVE, REMOVED

_FULL = "it is there in the full profile (INTERPRETER_PROFILE=full)"
_COPY = "add its Python files to the repository, or use a package that docs/python.md lists"


def is_native(name):
    """Return whether a package is known to need compiled code."""
    return name in NATIVE


def hint_for(name):
    """Return what to do about a module that is not there."""
    alternative = ALTERNATIVES.get(name)
    use = f"; use {alternative}" if alternative else ""
    if name in REMOVED:
        return f"it was removed from Python's standard library before 3.14{use}"
    if name in NOT_HERE:
        return f"this part of the standard library needs a system that the sandbox has not{use}"
    if state.session.profile == "restricted" and packages.provider(name) is not None:
        return _FULL + use
    if name in NATIVE or name in ON_NATIVE:
        return f"it needs compiled code that Berth does not have{use}"
    if name in NO_PROCESS:
        return f"it drives other programs, which the sandbox does not have{use}"
    if alternative:
        return f"Berth does not have it{use}"
    return f"Berth does not have it: {_COPY}"


def explain(name):
    """Raise ModuleNotFoundError with place and hint when the server itself imports the module."""
    frame = _asker()
    if frame is None:
        return
    from ..imports import relative

    place = f"{relative(frame.f_code.co_filename)}, line {frame.f_lineno}"
    text = f"No module named {name!r} ({place}: {hint_for(name)})"
    raise ModuleNotFoundError(text, name=name)


def _asker():
    """Return the nearest frame outside the import system when it is the server's, else None."""
    from ..imports import inside

    frame = sys._getframe(2)
    while frame is not None:
        filename = frame.f_code.co_filename
        if "importlib" not in filename and "berth_runtime" not in filename:
            return frame if inside(filename) else None
        frame = frame.f_back
    return None
