"""Only what was scanned is compiled: files that the scan read as what runs, and texts in them.

The scan says which these are; a record that was scanned before scans said so has no list, and runs
as it did. This is a second wall behind the rules of the scan. Whoever calls the compiler, by
import, `runpy`, a loader or `exec`, is asked for the text, which must be that of a scanned file
byte for byte (line ends aside), however it was come by.
"""

import ast
import hashlib
import os
import re
import sys

from .. import profile, state
from . import decoding, expressions

# What Berth brings: the standard library, its own modules, packages.
_OWN = "/lib/"
_PACKAGES = "/lib/packages/"
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_LOADERS = ("<frozen importlib", "<frozen zipimport", "<frozen runpy", "/runpy.py", "/zipimport.py")
# What the standard library compiles is its caller's, but for modules that make code or trees.
_STANDARD = re.compile(r"/lib/python3[^/]*/(?!site-packages/)")
_MAKERS = (
    "/ast.py",
    "/collections/__init__.py",
    "/dataclasses.py",
    "/gettext.py",
    "/sysconfig/__init__.py",
    "/unittest/mock.py",
)
_READ_MAX = 200
_COMPARED_MAX_BYTES = 1024 * 1024


class NotScannedError(ImportError):
    """What was to run is nothing that the scan read."""


class Scanned:
    """What the scan read as code."""

    def __init__(self, given, root):
        self.computed = bool(given.get("computed"))
        self.texts = set(given.get("texts") or ())
        self.files = {}
        # Files that were opened and are none of these, as their text may be on its way to `exec`.
        self.opened = {}
        for file in given.get("files") or ():
            path = os.path.normpath(os.path.join(root, file))
            source = _read(path)
            if source is not None:
                self.files[path] = _digest(_normal(source, path))
        self.digests = set(self.files.values())
        self._annotations = None

    def annotates(self, expression):
        """Return whether an expression is an annotation in a scanned file."""
        if self._annotations is None:
            self._annotations = {
                each
                for path, digest in self.files.items()
                if (text := _normal(_read(path) or b"", path)) is not None
                and _digest(text) == digest
                for each in expressions.annotations(text)
            }
        return ast.dump(expression) in self._annotations


def begin(given, root):
    """Remember what the scan read; None where it did not say."""
    state.session.scanned = None if given is None else Scanned(given, root)


def _read(path, most=-1):
    """Return the bytes of a file, of a large one the first; None where there is none."""
    try:
        with profile.trusted(), open(path, "rb") as file:
            return file.read(most)
    except OSError:
        return None


def _normal(source, path="<string>"):
    """Return what is compiled as text with plain line ends."""
    if isinstance(source, str):
        return decoding.lines_of(source.removeprefix("\ufeff"))
    try:
        return decoding.text_of(bytes(source), path)
    except SyntaxError:
        return None


def _digest(text):
    if text is None:
        return None
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _refuse(what, path=None):
    text = f"{what} was not scanned and does not run: only scanned source code does"
    state.session.log("error", "berth", text)
    raise NotScannedError(text, path=path)


def check_file(path, source):
    """Raise when a file is not what was scanned; a syntax error comes first."""
    decoding.text_of(source, _shown(path))
    scanned = state.session.scanned
    if scanned is None:
        return
    known = scanned.files.get(os.path.normpath(path))
    if known is not None and known == _digest(_normal(source, path)):
        return
    # Broken source is not in the list, and says better by itself what is wrong with it.
    ast.parse(source, path)
    _refuse(_shown(path), path)


def check_binary(path):
    """Raise for a module that is no source where the scan said what is."""
    if state.session.scanned is not None:
        _refuse(_shown(path), path)


def audit(event, arguments):
    """Refuse code that was not scanned, whichever way it takes to the interpreter."""
    check = _CHECKS.get(event)
    if check is not None and state.session.scanned is not None:
        check(sys._getframe(2), *arguments)


def _is_own(path):
    return isinstance(path, str) and os.path.normpath(path).startswith(_OWN)


def _is_servers(frame):
    """Return whether code of the server is at work in a frame, that of a file or of text."""
    file = frame.f_code.co_filename
    return not file.startswith(_OWN) and not file.startswith("<frozen ")


def _caller(frame):
    """Return the frame that wants something compiled, behind those who do it for others."""
    while frame is not None:
        file = frame.f_code.co_filename
        if "/berth_runtime/profile/runtime.py" not in file and not _is_agent(file):
            return frame
        frame = frame.f_back
    return None


def _is_agent(file):
    """Return whether a module of the standard library compiles for whoever calls it."""
    return (
        _STANDARD.match(file) is not None
        and not expressions.evaluates(file)
        and not file.endswith(_MAKERS)
    )


def _is_library(frame, source, filename):
    """Return whether a loader compiles what is in the library under this name."""
    if not isinstance(filename, str) or not _is_own(filename):
        return str(filename).startswith("<frozen")
    there = _read(filename)
    if there is not None:
        return _digest(_normal(there)) == _digest(_normal(source))
    # In the archive of the standard library.
    back = frame.f_back
    return back is not None and back.f_code.co_filename.startswith("<frozen zipimport")


def _compiles(frame, source, filename, *_):
    if isinstance(filename, bytes):
        filename = filename.decode(errors="replace")
    caller = _caller(frame)
    if caller is None or expressions.is_written_by(frame.f_code.co_filename, source):
        return
    if any(loader in caller.f_code.co_filename for loader in _LOADERS):
        if _is_library(frame, source, filename):
            return
    elif not _is_servers(caller):
        if expressions.evaluates(caller.f_code.co_filename):
            _check_expression(source)
        elif caller.f_code.co_filename.startswith(_PACKAGES):
            _check_generated(source, caller.f_code.co_filename)
        return
    _check_text(source, filename)


def _check_expression(source):
    scanned = state.session.scanned
    if not isinstance(source, (str, bytes, bytearray, memoryview)):
        return
    expression = expressions.parsed(source)
    if expression is None or expressions.is_plain(expression) or scanned.annotates(expression):
        return
    if _digest(_normal(source)) not in scanned.texts:
        _refuse("Text evaluated as a type")


def _check_generated(source, package):
    """Check what a package compiles: code of its own making, made of texts that it was given.

    Most of it is the package's own (classes, validators, templates), and the scan judges the texts.
    Never honest are the very text of an unscanned file, and templates that walk to the interpreter.
    """
    if not isinstance(source, (str, bytes, bytearray, memoryview)):
        return
    _refuse_opened(_digest(_normal(source)))
    name = expressions.walked(source) if "/jinja2/" in package else None
    if name is not None:
        _refuse(f"A template that accesses {name}")


def _refuse_opened(digest):
    for path in state.session.scanned.opened if digest is not None else ():
        if _digest(_normal(_read(path, _COMPARED_MAX_BYTES) or b"")) == digest:
            _refuse(f"The text of {_shown(path)}", path)


def _check_text(source, filename):
    scanned = state.session.scanned
    if _is_own(filename):
        # Code with such a name would pass for the library's.
        _refuse(f"Text compiled as {filename}")
    if isinstance(source, (str, bytes, bytearray, memoryview)):
        digest = _digest(_normal(source))
        if digest in scanned.digests or digest in scanned.texts:
            return
        _refuse_opened(digest)
        if filename in scanned.opened:
            _refuse(_shown(filename), filename)
    if not scanned.computed:
        _refuse(f"Text compiled as {filename}")


def _shown(path):
    from ..imports import relative

    return relative(path)


def _opens(frame, path, mode, flags):
    if isinstance(path, bytes):
        path = os.fsdecode(path)
    if not isinstance(path, str):
        return
    path = os.path.abspath(path)
    if _is_own(path):
        if isinstance(flags, int) and flags & _WRITES:
            raise PermissionError(f"{path} belongs to Berth and cannot be changed")
        return
    if "<frozen zipimport" in frame.f_code.co_filename:
        _refuse(f"The archive {_shown(path)}", path)
    scanned = state.session.scanned
    if not profile.is_trusted() and path not in scanned.files and len(scanned.opened) < _READ_MAX:
        scanned.opened[path] = True


def _moves(_frame, _source, target, *_):
    if _is_own(os.path.abspath(os.fsdecode(target))):
        raise PermissionError(f"{target} belongs to Berth and cannot be changed")


def _unmarshals(frame, *_):
    if "<frozen importlib" in frame.f_code.co_filename:
        place = frame.f_locals.get("bytecode_path") or frame.f_locals.get("source_path") or ""
        if not _is_own(place):
            _refuse(f"The bytecode {_shown(str(place))}")
    elif _is_servers(frame) or frame.f_code.co_filename.startswith(_PACKAGES):
        _refuse("Bytecode loaded by marshal")


def _makes_code(frame, *_):
    if _is_servers(frame):
        _refuse("Bytecode built by the program")


def _imports(_frame, _name, path=None, *_):
    if isinstance(path, str) and path and not _is_own(path):
        _refuse(f"The compiled module {_shown(path)}", path)


_CHECKS = {
    "compile": _compiles,
    "open": _opens,
    "os.rename": _moves,
    "os.link": _moves,
    "os.symlink": _moves,
    "marshal.loads": _unmarshals,
    "marshal.load": _unmarshals,
    "code.__new__": _makes_code,
    "import": _imports,
}
