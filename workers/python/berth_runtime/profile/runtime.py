"""The restricted profile at run time: for names that no syntax tree shows.

A rule of compatibility like the check of the syntax tree, so that a server behaves the same
wherever the specification's interpreter runs it. The wall is the process around the interpreter.
"""

import ast
import builtins
import sys

from .. import profile, state
from .table import NO_CLASS, NO_FILES, module_problem

_FILE_EVENTS = {
    "open", "os.listdir", "os.scandir", "os.mkdir", "os.rmdir", "os.remove", "os.rename",
    "os.link", "os.symlink", "os.truncate", "os.chmod", "os.chown", "os.utime",
    "shutil.copyfile", "shutil.move", "shutil.rmtree", "tempfile.mkstemp", "tempfile.mkdtemp",
    "sqlite3.connect",
}  # fmt: skip
_OWN_READS = (
    "<frozen importlib",
    "<frozen zipimport>",
    "/requests/",
    "/urllib3/",
    "/certifi/",
    "/linecache.py",
    "/mimetypes.py",
    "/zoneinfo/",
    "/berth_runtime/",
    "/importlib/",
    "/inspect.py",
)


def audit(event, arguments):
    """Refuse file events whose nearest cause is the server's own code."""
    if event not in _FILE_EVENTS or state.session.profile != "restricted":
        return
    if event == "sqlite3.connect" and arguments[0] in (":memory:", b":memory:", ""):
        return
    if state.session.server is None and not state.session.loading or profile.is_trusted():
        return
    if event == "open" and isinstance(arguments[0], int):
        return
    frame = _cause()
    if frame is not None:
        raise PermissionError(_refusal(frame, f"file I/O ({event})", NO_FILES))


def _cause():
    """Return the frame of the server's code behind an event, through the library or not."""
    frame = sys._getframe(3)  # below this function, `audit` and the hook itself
    while frame is not None:
        if _is_restricted(frame):
            return frame
        if any(part in frame.f_code.co_filename for part in _OWN_READS):
            return None
        frame = frame.f_back
    return None


def _is_restricted(frame):
    return frame.f_builtins.get("__build_class__") is _no_class


def _refusal(frame, construct, hint):
    """Return the text of a refusal: where, what, and what to use instead."""
    from ..imports import relative

    place = f"{relative(frame.f_code.co_filename)}:{frame.f_lineno}"
    return f"{profile.REFUSED}\n{place}: {construct}: {hint}"


def _caller():
    """Return the frame of the server's code that called a replaced built-in."""
    frame = sys._getframe(2)
    while frame.f_back is not None and not _is_restricted(frame):
        frame = frame.f_back
    return frame


def _no_class(*_arguments, **_options):
    raise RuntimeError(_refusal(_caller(), "class definition", NO_CLASS))


def _checked(source, name):
    """Check code that is about to be compiled or run by `name`."""
    if isinstance(source, ast.AST):
        problems = profile.problems_in(source, "<string>")
    elif isinstance(source, (str, bytes, bytearray)):
        problems = profile.problems_of(source, "<string>")
    else:
        return
    if problems:
        first = problems[0]
        construct = f"{first['construct']} in line {first['line']} of the code given to {name}"
        raise RuntimeError(_refusal(_caller(), construct, first["hint"]))


def _compile(source, *arguments, **options):
    _checked(source, "compile")
    return builtins.compile(source, *arguments, **options)


def _spaces(space, names):
    """Return the namespaces of `exec` and `eval`: the caller's, or with the profile's built-ins."""
    if space is None:
        frame = _caller()
        return frame.f_globals, names if names is not None else frame.f_locals
    if isinstance(space, dict):
        space.setdefault("__builtins__", restricted_builtins())
    return space, names


def _exec(source, globals=None, locals=None, /, **options):
    _checked(source, "exec")
    space, names = _spaces(options.pop("globals", globals), options.pop("locals", locals))
    return builtins.exec(source, space, names, **options)


def _eval(source, globals=None, locals=None, /, **options):
    _checked(source, "eval")
    space, names = _spaces(options.pop("globals", globals), options.pop("locals", locals))
    return builtins.eval(source, space, names, **options)


def _open(*_arguments, **_options):
    raise PermissionError(_refusal(_caller(), "file I/O (open)", NO_FILES))


def _import(name, globals=None, locals=None, fromlist=(), level=0):
    """Import a module unless it is refused; a plain `import` was checked before."""
    problem = module_problem(name) if level == 0 and isinstance(name, str) else None
    if problem:
        raise ModuleNotFoundError(_refusal(_caller(), *problem), name=name)
    return builtins.__import__(name, globals, locals, fromlist, level)


def restricted_builtins():
    """Return the names that modules of the server find without import."""
    names = dict(vars(builtins))
    names.update(
        __build_class__=_no_class,
        __import__=_import,
        compile=_compile,
        exec=_exec,
        eval=_eval,
        open=_open,
    )
    return names
