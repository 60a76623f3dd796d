"""The restricted profile: what a server's own modules may not contain, checked before they run.

The list is the specification's: no `httpx` and `aiohttp`, no `async def`, no C extensions and
binary wheels, no class definitions, no file I/O. The check reads the syntax tree; what slips
through it (names built at run time) meets `profile.runtime`.
"""

import ast
import contextlib
import threading

from .. import state
from .rules import Checker

REFUSED = (
    "Not available in the restricted profile. "
    "Change the code, or ask the operator for INTERPRETER_PROFILE=full:"
)


class ProfileError(BaseException):
    """A module of the server uses what the profile refuses.

    Not an Exception, so that `except ImportError` around an import does not hide it.
    """

    def __init__(self, problems):
        self.problems = problems
        lines = [f"{p['file']}:{p['line']}: {p['construct']}: {p['hint']}" for p in problems]
        super().__init__("\n".join([REFUSED, *lines]))


def refuse(problems):
    """Remember problems and raise them."""
    state.session.problems.extend(problems)
    raise ProfileError(problems)


def problems_of(source, file):
    """Return all problems of a module's source; a syntax error is none (running it tells)."""
    try:
        tree = ast.parse(source)
    except SyntaxError, ValueError:
        return []
    return problems_in(tree, file)


def problems_in(tree, file):
    """Return all problems of a syntax tree."""
    checker = Checker(file)
    checker.visit(tree)
    return checker.sorted()


def check(source, file):
    """Raise ProfileError when a module's source has problems."""
    problems = problems_of(source, file)
    if problems:
        refuse(problems)


def not_source(file, name):
    """Return the problem of a module in the repository that is no source file."""
    if file.endswith((".so", ".pyd")):
        construct, hint = (
            "C extension",
            f"{name} is compiled code, which does not run in the sandbox: write it in Python",
        )
    elif file.endswith(".pyc"):
        construct, hint = "bytecode", f"{name} has no source: add {name}.py"
    else:
        construct, hint = "code in an archive", f"unpack {name} into the repository"
    return {"construct": construct, "file": file, "line": 1, "hint": hint}


_trusted = threading.local()


@contextlib.contextmanager
def trusted():
    """Let Berth's own code read files although it runs on behalf of the server."""
    before = getattr(_trusted, "on", False)
    _trusted.on = True
    try:
        yield
    finally:
        _trusted.on = before


def is_trusted():
    """Return whether Berth's own code is at work."""
    return getattr(_trusted, "on", False)


def builtins_for(module):
    """Return the built-ins of a module of the server: no classes, checked `exec` and `eval`."""
    from .runtime import restricted_builtins

    return restricted_builtins()
