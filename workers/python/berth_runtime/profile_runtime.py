"""The restricted profile at run time: for names that no syntax tree shows."""

import builtins
import sys

from . import profile, state

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
_TEXT = "File access is not available in the restricted profile: keep data in memory"


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
    if _asked_by_server():
        raise PermissionError(_TEXT)


def _asked_by_server():
    """Return whether the server's code, through the library or not, is behind the event."""
    frame = sys._getframe(3)  # below this function, `audit` and the hook itself
    while frame is not None:
        if frame.f_builtins.get("__build_class__") is _no_class:
            return True
        if any(part in frame.f_code.co_filename for part in _OWN_READS):
            return False
        frame = frame.f_back
    return False


def _no_class(*_args, **_options):
    problem = "class definition: use functions, dictionaries and lists"
    raise RuntimeError(f"The restricted profile refuses this: {problem}")


def _checked(source):
    """Check text that is about to be run."""
    if isinstance(source, (str, bytes, bytearray)):
        problems = profile.problems_of(source, "<string>")
        if problems:
            first = problems[0]
            text = f"{first['construct']}: {first['hint']}"
            raise RuntimeError(f"The restricted profile refuses this: {text}")


def _compile(source, *arguments, **options):
    _checked(source)
    return builtins.compile(source, *arguments, **options)


def _exec(source, space=None, names=None, /, **options):
    _checked(source)
    frame = sys._getframe(1)
    if space is None:
        space, names = frame.f_globals, names if names is not None else frame.f_locals
    return builtins.exec(source, space, names, **options)


def _eval(source, space=None, names=None, /):
    _checked(source)
    frame = sys._getframe(1)
    if space is None:
        space, names = frame.f_globals, names if names is not None else frame.f_locals
    return builtins.eval(source, space, names)


def _open(*_args, **_options):
    raise PermissionError(_TEXT)


def restricted_builtins():
    """Return the names that modules of the server find without import."""
    names = dict(vars(builtins))
    names.update(__build_class__=_no_class, compile=_compile, exec=_exec, eval=_eval, open=_open)
    return names
