"""What the public names of the SDKs stand for.

`names.json` of a version has a line for each of its modules. The first character of what a name
stands for says what that is: `=place:name` an object of another module, `@` a module, `c` a class,
`e` an exception derived from the built-in one named, `f` a function, `l` a logger, `n` an
enumeration and `v` a constant as JSON, `t` a type that is no class. `tests/helpers/sdk_names.py`
writes it.

A name stands for what Berth's own code has under it. Of a class or function that Berth lacks there
is a placeholder: it can be imported, subclassed and made, and says why it has no effect when it is
asked to do something.
"""

import enum
import importlib
import json
import logging
import typing

from . import placeholders, versions
from .line import code_in

_REASON = "Berth does not provide this part of the SDK"
_ABSENT = object()


def make(module, name):
    """Return what a name of a module stands for; raises AttributeError for one it does not have."""
    line = versions.line_of(module)
    names = line.names_of(module) or {}
    if name == "__all__":
        return names.get("*") or [item for item in names if item != "*"]
    if name == "__file__" and code_in(line.home_of(module)) is not None:
        return code_in(line.home_of(module)).__file__
    if name == "__version__" and "." not in module:
        return line.version
    told = names.get(name)
    if told is None and (name.startswith("__") or not name.startswith("_")):
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    home = line.home_of(module)
    if told is None or told[0] != "@":
        found = _own(code_in(home), name)
        if found is not _ABSENT:
            return found
    if told is None:
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    return _MAKERS[told[0]](module, name, told[1:])


def _own(code, name):
    """Return what a module of Berth's code has under a name."""
    try:
        return _ABSENT if code is None else getattr(code, name)
    except AttributeError:
        return _ABSENT


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
    """Return a class or function that Berth has in a module above."""
    place = versions.line_of(module).home_of(module).rpartition(".")[0]
    while "." in place:
        found = vars(code_in(place) or placeholders).get(name)
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
