"""The public names of an SDK, as facts without code.

    python sdk_names.py read mcp mcp_types > names.json  # with the Python of a virtual environment
    python sdk_names.py merge a.json b.json > all.json   # what the first file says goes first

`read` writes for each module what each of its public names is: a string of the table that
`workers/python/berth_runtime/imports/sdk_names.py` describes, or, of a class that the module itself
defines, that string and the class's public methods and properties. `merge` writes the table: the strings alone.
"""

import enum
import importlib
import inspect
import io
import contextlib
import json
import logging
import os
import pkgutil
import sys
import types
import warnings

PLAIN = (str, int, float, bool, type(None))
LIBRARIES = (
    "__future__",
    "typing",
    "typing_extensions",
    "collections.abc",
    "pydantic",
    "pydantic.types",
)


def found_at(place, name, value):
    """Return whether a module has this very object under this name."""
    try:
        return getattr(importlib.import_module(place), name, None) is value
    except Exception:
        return False


def origin(module, value):
    """Return `place:name` of an object of another module, or None."""
    place, name = getattr(value, "__module__", None), getattr(value, "__name__", None)
    if not isinstance(place, str) or not isinstance(name, str) or place == module:
        return None
    parts = place.split(".")
    for count in range(1, len(parts) + 1):
        if found_at(".".join(parts[:count]), name, value):
            return f"{'.'.join(parts[:count])}:{name}"
    return None


def library_origin(name, value):
    """Return `place:name` of a special form, alias or constant of a library, or None."""
    for place in LIBRARIES:
        if found_at(place, name, value):
            return f"{place}:{name}"
    return None


def base_of(kind):
    """Return the name of the nearest built-in exception that an exception derives from."""
    return next(item.__name__ for item in kind.__mro__ if item.__module__ == "builtins")


def what(module, name, value):
    """Return what a name stands for."""
    if isinstance(value, types.ModuleType):
        return f"@{value.__name__}"
    place = origin(module, value) or library_origin(name, value)
    if place is not None:
        return f"={place}"
    if isinstance(value, logging.Logger):
        return f"l{value.name}"
    if isinstance(value, type) and issubclass(value, BaseException):
        return f"e{base_of(value)}"
    if isinstance(value, enum.EnumType):
        members = {key: item.value for key, item in value.__members__.items()}
        if all(isinstance(item, PLAIN) for item in members.values()):
            return f"n{json.dumps(members)}"
    if isinstance(value, type) and not isinstance(value, types.GenericAlias):
        return "c"
    if inspect.isroutine(value):
        return "f"
    return f"v{json.dumps(value)}" if isinstance(value, PLAIN) else "t"


def attributes(kind):
    """Return the public methods and properties that a class has from the SDK."""
    own = {}
    for base in reversed(kind.__mro__):
        if base.__module__.split(".")[0] in ("mcp", "mcp_types", "fastmcp"):
            own.update(vars(base))
    return sorted(
        name
        for name, value in own.items()
        if not name.startswith("_")
        and (inspect.isroutine(value) or isinstance(value, (property, classmethod, staticmethod)))
    )


def below(module):
    """Return the names of the modules in a package; a folder without `__init__.py` is one too."""
    places = list(getattr(module, "__path__", ()))
    found = {item.name for item in pkgutil.iter_modules(places)}
    for place in places:
        for entry in os.scandir(place):
            if entry.is_dir() and any(
                name.endswith(".py") for _, _, files in os.walk(entry) for name in files
            ):
                found.add(entry.name)
    return sorted(name for name in found if name.isidentifier() and not name.startswith("_"))


def read(name, table):
    """Read a module and those below it."""
    try:
        with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
            module = importlib.import_module(name)
    except BaseException as error:
        print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr)
        return
    names = set(vars(module)) | set(getattr(module, "__all__", ()))
    names = sorted(item for item in names if not item.startswith("_"))
    table[name] = {}
    for item in names:
        try:
            value = getattr(module, item)
        except Exception:
            continue
        told = what(name, item, value)
        own = isinstance(value, type) and getattr(value, "__module__", None) == name
        table[name][item] = [told, attributes(value)] if own else told
    for inner in below(module):
        read(f"{name}.{inner}", table)


def merge(paths):
    """Return one table of several; what an earlier one says of a name stays, `t` says nothing."""
    merged = {}
    for path in paths:
        with open(path) as file:
            for module, names in json.load(file).items():
                kept = merged.setdefault(module, {})
                for name, told in names.items():
                    if kept.get(name, "t") == "t":
                        kept[name] = told if isinstance(told, str) else told[0]
    return merged


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    task, *given = sys.argv[1:]
    result = {}
    if task == "read":
        for package in given:
            read(package, result)
    else:
        result = merge(given)
    rows = [
        f"{json.dumps(module)}: {json.dumps(names, separators=(',', ':'), sort_keys=True)}"
        for module, names in sorted(result.items())
    ]
    print("{\n" + ",\n".join(rows) + "\n}")
