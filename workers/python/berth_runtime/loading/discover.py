"""Which server object of the program is served."""

import importlib
import inspect
import os
import sys

from .. import state
from ..imports import inside
from ..launch import launch
from ..packages.metadata import scripts
from ..serving.base import ServerBase
from . import commands

_FACTORIES = (
    "create_server",
    "create_mcp_server",
    "create_mcp",
    "create_app",
    "build_server",
    "make_server",
    "get_server",
    "get_mcp",
    "setup_server",
    "main",
    "serve",
    "run",
    "run_server",
    "start",
    "start_server",
    "cli",
)


async def find(module, is_imported=False):
    """Return the server that was run, else one that is there, else one that can be made.

    `is_imported`: the entrypoint was only imported, so that its start is still to come.

    Where nothing is registered yet, the project's own ways of starting are tried one after the
    other. What they raise counts only when none of them gives a server that offers something: what
    a failed start left behind is no server.
    """
    found = _chosen(state.session.started) or _chosen(_instances(module)) or _created()
    # A program that stays inside `run()` has been started: nothing is to be started beside it.
    if state.session.serving.done():
        return found
    if found is not None and not found.is_empty():
        return await _started_by(module) or found if is_imported else found
    error = None
    for function in _starters(module):
        made, failure = await _made_by(function)
        error = error or failure
        if made is not None and not made.is_empty():
            return made
        found = found or made
    if error is not None and (found is None or found.is_empty()):
        raise error
    return found


async def _started_by(module):
    """Return the server that one of the project's ways of starting runs, or None."""
    for function in [*_scripts(module), *_package_main(module), vars(module).get("main")]:
        await _made_by(function)
        if state.session.started:
            return _chosen(state.session.started)
    return None


def _chosen(servers):
    """Return the first server that offers something, else the first."""
    servers = list(servers)
    return next((item for item in servers if not item.is_empty()), servers[0] if servers else None)


def _created():
    """Return a server that nothing but the program's functions holds; not a part of another."""
    return _chosen(item for item in state.session.created if getattr(item, "owner", None) is None)


def _own_modules(module):
    """Return the modules of the program, the entrypoint's first."""
    others = [each for each in list(sys.modules.values()) if each is not module]
    return [module, *(each for each in others if inside(getattr(each, "__file__", None) or ""))]


def _instances(module):
    """Return the servers that modules of the program hold: the entrypoint's first."""
    seen = {}
    for owner in _own_modules(module):
        for value in list(vars(owner).values()):
            if isinstance(value, ServerBase):
                seen.setdefault(id(value), value)
    return seen.values()


def _starters(module):
    """Yield functions that may start the server: scripts, `__main__`, factories, commands."""
    yield from _scripts(module)
    yield from _package_main(module)
    for name in _FACTORIES:
        yield vars(module).get(name)
    yield from _commands(module)


def _commands(module):
    """Yield commands of the command lines that console scripts and the program's modules have."""
    seen = {id(value): value for value in [script.found() for script in _scripts(module)]}
    for owner in _own_modules(module):
        seen.update({id(value): value for value in vars(owner).values()})
    for value in seen.values():
        if not isinstance(value, type) and commands.is_command_line(value):
            yield from commands.starting(value)


def _scripts(module):
    """Yield the console scripts that the project declares for this module or its package."""
    package = module.__package__ or ""
    own = {package, package.split(".")[0], getattr(module.__spec__, "name", None)} - {"", None}
    for target in scripts(state.session.project).values():
        name, _, attribute = target.partition(":")
        if name in own or name.split(".")[0] in own:
            yield _Late(name, attribute.split(".")[0])


def _package_main(module):
    """Yield the run of the package as `python -m package` does it."""
    package = module.__package__
    beside = os.path.join(os.path.dirname(module.__file__ or ""), "__main__.py")
    if package and module.__file__ != beside and os.path.exists(beside):
        yield _Late(f"{package}.__main__", None)


class _Late:
    """A function that is imported when it is called; without a name, the module itself is run."""

    def __init__(self, module, attribute):
        self._module = module
        self._attribute = attribute

    def __call__(self):
        if self._attribute is None:
            import runpy

            return runpy.run_module(self._module, run_name="__main__", alter_sys=False)
        function = self._imported()
        return _call(function) if _is_starter(function) else None

    def _imported(self):
        return getattr(importlib.import_module(self._module), self._attribute, None)

    def found(self):
        """Return the function; None where its module cannot be imported."""
        try:
            return self._imported()
        except Exception:
            return None


def _is_starter(function):
    """Return whether something can be called without arguments: functions, command lines."""
    if not callable(function) or isinstance(function, (type, ServerBase)):
        return False
    if not inspect.isroutine(function):
        return commands.is_command_line(function)
    try:
        parameters = inspect.signature(function).parameters.values()
    except TypeError, ValueError:
        return False
    optional = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return all(p.default is not p.empty or p.kind in optional for p in parameters)


def _call(function):
    import asyncio

    made = function()
    return asyncio.run(made) if inspect.iscoroutine(made) else made


async def _made_by(function):
    """Call a starter; return the server that it ran, returned or made, and what it raised."""
    if not isinstance(function, _Late) and not _is_starter(function):
        return None, None
    ended = await launch(lambda: function() if isinstance(function, _Late) else _call(function))
    made = ended.value if ended is not None else None
    made = made if isinstance(made, ServerBase) else _created()
    server = _chosen(state.session.started) or made
    return server, ended.error if ended is not None else None
