"""The modules of the SDKs that servers import: each has the names of the version, and no code.

Their names are made when a server asks for them. Those that almost every server asks for are made
when the snapshot is, for every version: a session only has to put the modules of its own in place.
"""

import importlib.abc
import importlib.machinery
import sys
import types

from . import names, versions
from .line import CODE


TOPS = ("mcp", "mcp_types", "fastmcp")
# What servers import first. Their names are ready, as far as the code of these is in the snapshot.
_COMMON = (
    "fastmcp",
    "fastmcp.exceptions",
    "fastmcp.server",
    "fastmcp.utilities",
    "fastmcp.utilities.types",
    "mcp",
    "mcp.server",
    "mcp.server.fastmcp",
    "mcp.server.fastmcp.exceptions",
    "mcp.server.lowlevel",
    "mcp.server.mcpserver",
    "mcp.server.models",
    "mcp.server.stdio",
    "mcp.shared",
    "mcp.shared.exceptions",
    "mcp.types",
    "mcp_types",
)


class Module(types.ModuleType):
    """A module of an SDK. What it has no attribute of yet is made."""

    def __getattr__(self, name):
        made = names.make(self.__name__, name)
        setattr(self, name, made)
        return made

    def __dir__(self):
        listed = versions.line_of(self.__name__).names_of(self.__name__) or {}
        return sorted({*self.__dict__, *(name for name in listed if name != "*")})


class _Loader(importlib.abc.Loader):
    def create_module(self, spec):
        return Module(spec.name)

    def exec_module(self, module):
        """Do nothing: its names are made when they are asked for."""


def spec_of(name):
    """Return the spec of a module of the SDKs; None where its version does not have it."""
    line = versions.line_of(name)
    if name not in line.ready and line.names_of(name) is None:
        return None
    return importlib.machinery.ModuleSpec(name, _Loader(), is_package=True)


def prepare():
    """Make the common modules of all versions; done when the snapshot is made."""
    for line in versions.lines():
        for name in _COMMON:
            names_of = line.names_of(name) if name.startswith(line.name) else None
            line.common[name] = None if names_of is None else frozenset(names_of)
            if names_of is not None:
                line.ready[name] = dict(_names(line, name))
        # Text that a session seldom needs.
        del line.table


def _names(line, module):
    code = sys.modules.get(line.home_of(module))
    for name, told in line.names_of(module).items():
        if name == "*":
            yield "__all__", told
        elif told[0] != "@" and code is not None and name in vars(code):
            value = vars(code)[name]
            if isinstance(value, type) and issubclass(value, Exception):
                # Servers log tracebacks, which have the names that they know.
                value.__module__ = value.__module__.removeprefix(f"{CODE}.")
            yield name, value
    if "." not in module:
        yield "__version__", line.version


def install():
    """Put the common modules of the session's versions in place, instead of any others."""
    for name in [name for name in sys.modules if name.partition(".")[0] in TOPS]:
        del sys.modules[name]
    for line in versions.chosen():
        for name, ready in line.ready.items():
            module = Module(name)
            spec = importlib.machinery.ModuleSpec(name, _Loader(), is_package=True)
            module.__dict__.update(
                ready, __spec__=spec, __loader__=spec.loader, __package__=name, __path__=[]
            )
            sys.modules[name] = module
            above, _, last = name.rpartition(".")
            if above:
                setattr(sys.modules[above], last, module)
