"""What kept an entrypoint from serving: the kind of failure, where it is, and what to do."""

import os
import sys

from . import state, tracebacks
from .imports import inside, relative
from .packages import missing
from .packages.missing_table import REMOVED

_TEXT_MAX = 500
_PLACE_MAX = 2000


def cause_of(error):
    """Return kind, subject, file, line and hint of an exception that ended the entrypoint."""
    try:
        kind, hint = _kind(error)
        file, line = _place(error, kind)
        subject = _subject(error) if kind.startswith("missing_") else None
    except Exception:
        # An exception of the server's own may fail at anything that it is asked.
        return {"kind": "raised", "subject": None, "file": None, "line": None, "hint": None}
    return {"kind": kind, "subject": subject, "file": file, "line": line, "hint": hint}


def _subject(error):
    """Return the name of what an import did not find."""
    absent = _absent(error)
    name = getattr(error if absent is None else absent, "name", None)
    return name[:_TEXT_MAX] if isinstance(name, str) and name else None


def _absent(error):
    """Return the ModuleNotFoundError that an ImportError is, or that a library made it from."""
    seen = set()
    while isinstance(error, ImportError) and id(error) not in seen:
        if isinstance(error, ModuleNotFoundError):
            return error
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return None


def _kind(error):
    if tracebacks.ran_out(error):
        return "memory", None
    if isinstance(error, ImportError):
        absent = _absent(error)
        return ("missing_module", None) if absent is None else _missing(absent)
    if isinstance(error, SyntaxError):
        return "syntax_error", None
    if isinstance(error, SystemExit):
        return "exits", None
    return "raised", None


def _missing(error):
    """Return whether a module of the server, of the library, or a package is missing."""
    name = error.name if isinstance(error.name, str) else ""
    top = name.partition(".")[0]
    if not top:
        return "missing_module", None
    if _is_own(top):
        return "missing_module", "add the module to the repository, or correct the import"
    hint = missing.hint_for(top)[:_TEXT_MAX]
    library = top in sys.stdlib_module_names or top in REMOVED
    return "missing_module" if library else "missing_package", hint


def _is_own(top):
    module = sys.modules.get(top)
    places = [getattr(module, "__file__", None), *(getattr(module, "__path__", None) or ())]
    if any(isinstance(place, str) and inside(place) for place in places):
        return True
    folders = [folder for folder in sys.path if isinstance(folder, str) and inside(folder)]
    names = (top, f"{top}.py")
    return any(os.path.exists(os.path.join(folder, name)) for folder in folders for name in names)


def _place(error, kind):
    """Return file and line of the server's own code, each None where there is none."""
    if kind == "syntax_error":
        file, line = error.filename, error.lineno
        if isinstance(file, str) and inside(file):
            return _checked(file, line)
    found, seen = None, set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        found = found or _last_frame(error)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return _checked(*found) if found else (None, None)


def _last_frame(error):
    """Return the place of the innermost frame of the server in a traceback."""
    found, at = None, error.__traceback__
    while at is not None:
        if inside(at.tb_frame.f_code.co_filename):
            found = (at.tb_frame.f_code.co_filename, at.tb_lineno)
        at = at.tb_next
    return found


def _checked(file, line):
    """Return a place as plain data: an exception may say anything of itself."""
    file = relative(file)
    if len(file) > _PLACE_MAX:
        return None, None
    is_line = isinstance(line, int) and not isinstance(line, bool) and 0 < line < 2**31
    return file, int(line) if is_line else None


def interrupted(error):
    """Return the cause of a start that took too long: where it was."""
    return {**cause_of(error), "kind": "hangs", "hint": None}


def no_server():
    """Return the cause of a start that came to its end without a server."""
    file = relative(os.path.normpath(os.path.join(state.session.root, state.session.entrypoint)))
    return {"kind": "no_server", "subject": None, "file": file, "line": None, "hint": None}
