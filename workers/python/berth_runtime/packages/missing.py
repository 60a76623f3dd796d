"""Hints for modules that are not available."""

import sys

from .. import packages, state
from .missing_table import (
    ALTERNATIVES,
    HALF_NATIVE,
    NATIVE,
    NO_PROCESS,
    NOT_HERE,
    ON_NATIVE,
    REMOVED,
)

_PROFILE = "the full profile (INTERPRETER_PROFILE=full)"
_FULL = f"it is available in {_PROFILE}"
_COMPILED = "sessions get it only if it is declared and has a wheel for Pyodide"
_UNDECLARED = (
    "no package that the server has brings it: declare the package in requirements.txt, "
    "or see in the report why it was left out"
)
_COPY = "add its Python files to the repository, or use a package listed in docs/python.md"
# Only there do servers have packages of their own.
_DECLARED = f"in {_PROFILE} a server gets the packages that it declares"
_PROGRAMS = "it starts other programs, which do not run in the sandbox"


def is_native(name):
    """Return whether a package is known to need compiled code."""
    return name in NATIVE


def hint_for(name):
    """Return what to do about a missing module."""
    alternative = ALTERNATIVES.get(name)
    use = f"; use {alternative}" if alternative else ""
    if name in REMOVED:
        return f"it is no longer part of Python's standard library{use}"
    if name in NOT_HERE:
        return f"this part of the standard library is not available in the sandbox{use}"
    if state.session.profile == "restricted":
        return _in_restricted(name) + use
    if name in ON_NATIVE or name in NATIVE and name not in HALF_NATIVE:
        return f"it needs compiled code: {_COMPILED}{use}"
    if name in NO_PROCESS:
        return _PROGRAMS + use
    return _UNDECLARED + use


def _in_restricted(name):
    """Return what to do about a missing package where servers have none of their own."""
    if packages.provider(name) is not None:
        return _FULL
    if name in ON_NATIVE or name in NATIVE and name not in HALF_NATIVE:
        return f"it needs compiled code: in {_PROFILE} {_COMPILED}"
    if name in NO_PROCESS:
        return f"{_PROGRAMS}; {_DECLARED}, so that what needs no program works"
    if name in ALTERNATIVES:
        return f"it is not available in the restricted profile: {_DECLARED}"
    return f"it is not available in the restricted profile: {_DECLARED}; else {_COPY}"


def explain(name, hint=None):
    """Raise ModuleNotFoundError with place and hint when the server itself imports the module."""
    frame = _asker()
    if frame is None:
        return
    from ..imports import relative

    place = f"{relative(frame.f_code.co_filename)}, line {frame.f_lineno}"
    text = f"No module named {name!r} ({place}: {hint or hint_for(name)})"
    raise ModuleNotFoundError(text, name=name)


def _asker():
    """Return the nearest frame outside the import system when it is the server's, else None."""
    from ..imports import inside

    frame = sys._getframe(2)
    while frame is not None:
        filename = frame.f_code.co_filename
        if "importlib.util" in filename and frame.f_code.co_name == "find_spec":
            # Only asked whether it is there.
            return None
        if "importlib" not in filename and "berth_runtime" not in filename:
            return frame if inside(filename) else None
        frame = frame.f_back
    return None
