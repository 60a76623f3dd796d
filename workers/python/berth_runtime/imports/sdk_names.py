"""Public names of the SDKs that Berth has no code of its own for, made when a server asks for them.

`sdk_names.json` has a line for each module of the SDKs: its names, and what each stands for. The
first character says which: `=place:name` an object of another module, `@` a module, `c` a class,
`e` an exception derived from the built-in one named, `f` a function, `l` a logger, `n` an
enumeration and `v` a constant as JSON, `t` a type that is no class. `tests/helpers/sdk_names.py`
writes it.

Objects of other modules are those objects. Of a class or function that is the SDK's own and that
Berth lacks there is a placeholder: it can be imported, subclassed and made, and says why it has no
effect when it is asked to do something.
"""

import enum
import functools
import importlib
import json
import logging
import pkgutil
import typing

from . import placeholders

_REASON = "Berth does not provide this part of the SDK"
# Where what later lines of the SDKs have elsewhere is here.
_MOVED = {
    "fastmcp.server.providers.proxy": "fastmcp.server.proxy",
    "fastmcp.server.providers.openapi": "fastmcp.server.openapi",
    "fastmcp.server.low_level": "mcp.server.lowlevel",
    "mcp.server.mcpserver.tools": "mcp.server.fastmcp.tools",
    "mcp.server.mcpserver.resources": "mcp.server.fastmcp.resources",
}


@functools.cache
def _table():
    return "\n" + pkgutil.get_data(__package__, "sdk_names.json").decode()


def names_of(module):
    """Return the names of a module of the SDKs and what they stand for, None of any other."""
    begin = _table().find(f'\n"{module}": ')
    if begin < 0:
        return None
    line = _table()[begin + 1 : _table().index("\n", begin + 1)]
    return json.loads(line.partition(": ")[2].removesuffix(","))


def make(module, name):
    """Return what a name of a module stands for; raises AttributeError for any other."""
    told = None if name.startswith("_") else (names_of(module) or {}).get(name)
    if told is None:
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    return _MAKERS[told[0]](module, name, told[1:])


def _elsewhere(module, name, place):
    home, _, found = place.partition(":")
    try:
        return getattr(importlib.import_module(home), found)
    except AttributeError, ImportError, RuntimeError:
        return _class(module, name, "")


def _module(module, name, place):
    try:
        return importlib.import_module(place)
    except ImportError:
        return placeholders.module(place, f"Berth does not provide {place}")


def _kin(module, name):
    """Return a class or function that Berth has in a module above, or in one that stands for it."""
    place = next((here for there, here in _MOVED.items() if module.startswith(there)), module)
    while place:
        try:
            found = vars(importlib.import_module(place)).get(name)
        except ImportError:
            found = None
        if callable(found) and not placeholders.is_placeholder(found):
            return found
        place = place.rpartition(".")[0]
    return None


def _class(module, name, _):
    kin = _kin(module, name)
    if kin is not None:
        return kin
    return placeholders.make(module, name, placeholders.reason_for(module) or _REASON)


def _exception(module, name, base):
    kind = getattr(importlib.import_module("builtins"), base)
    return type(name, (kind,), {"__module__": module})


def _function(module, name, _):
    if name in placeholders.NOBODY:
        return placeholders.make(module, name, "")
    kin = _kin(module, name)
    if kin is not None:
        return kin
    reason = placeholders.reason_for(module) or _REASON

    def refuse(*_arguments, **_options):
        raise RuntimeError(f"{name} is not available: {reason}")

    refuse.__name__ = refuse.__qualname__ = name
    refuse.__module__ = module
    return refuse


def _enumeration(module, name, members):
    members = json.loads(members)
    kind = enum.StrEnum if all(isinstance(it, str) for it in members.values()) else enum.Enum
    return kind(name, members, module=module)


_MAKERS = {
    "=": _elsewhere,
    "@": _module,
    "c": _class,
    "e": _exception,
    "f": _function,
    "l": lambda _module, _name, logger: logging.getLogger(logger),
    "n": _enumeration,
    "t": lambda *_: typing.Any,
    "v": lambda _module, _name, text: json.loads(text),
}


def complete(module):
    """Let a module of the SDKs have all its public names."""
    own = module.__dict__.get("__getattr__")
    # Another line of the SDK may have modules below it.
    module.__dict__.setdefault("__path__", [])

    def late(name):
        if own is not None:
            try:
                return own(name)
            except AttributeError:
                pass  # one that the table may know
        made = make(module.__name__, name)
        setattr(module, name, made)
        return made

    module.__getattr__ = late
