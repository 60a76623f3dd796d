"""Which server object of the program is served."""

import importlib
import inspect
import sys

from . import state
from .imports import inside
from .launch import launch
from .metadata import table_of
from .serving.base import ServerBase

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
)


async def find(module):
    """Return the server that was run, else one that is there, else one that can be made."""
    found = _chosen(state.session.started) or _chosen(_instances(module))
    if found is None or found.is_empty():
        made = await _from_script(module) or await _from_factory(module)
        if made is not None and (found is None or not made.is_empty()):
            return made
    return found


def _chosen(servers):
    """Return the first server that offers something, else the first."""
    servers = list(servers)
    return next((item for item in servers if not item.is_empty()), servers[0] if servers else None)


def _instances(module):
    """Return the servers that modules of the program hold: the entrypoint's first."""
    seen = {}
    for owner in [module, *list(sys.modules.values())]:
        if owner is not module and not inside(getattr(owner, "__file__", None) or ""):
            continue
        for value in list(vars(owner).values()):
            if isinstance(value, ServerBase):
                seen.setdefault(id(value), value)
    return seen.values()


async def _from_script(module):
    """Call the console script that the project declares for this module or its package."""
    table = table_of(state.session.root)
    project = table.get("project") or table.get("tool", {}).get("poetry") or {}
    for target in (project.get("scripts") or {}).values():
        name, _, attribute = str(target).partition(":")
        package = module.__package__ or ""
        spec = getattr(module, "__spec__", None)
        if name and name in (package, getattr(spec, "name", None), package.split(".")[0]):
            function = getattr(importlib.import_module(name), attribute.split(".")[0], None)
            found = await _made_by(function)
            if found is not None:
                return found
    return None


async def _from_factory(module):
    for name in _FACTORIES:
        found = await _made_by(vars(module).get(name))
        if found is not None:
            return found
    return None


async def _made_by(function):
    """Call a function without arguments and return the server that it ran, returned or made."""
    if not inspect.isroutine(function) or inspect.iscoroutinefunction(function):
        return None
    required = [
        parameter
        for parameter in inspect.signature(function).parameters.values()
        if parameter.default is parameter.empty
        and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    ]
    if required:
        return None
    ended = await launch(function)
    if ended is not None and ended.error is not None and not isinstance(ended.error, SystemExit):
        raise ended.error
    made = ended.value if ended is not None else None
    return _chosen(state.session.started) or (made if isinstance(made, ServerBase) else None)
