"""Which of an SDK's public names Berth has, and of which kind; run inside the interpreter."""

import importlib
import inspect
import json
import sys
import types


def fits(told, value):
    """Return whether a value is of the kind that the list says."""
    if told[0] == "@":
        return isinstance(value, types.ModuleType)
    if told[0] in "cn":
        return isinstance(value, type)
    if told[0] == "e":
        return isinstance(value, type) and issubclass(value, BaseException)
    if told[0] == "f":
        return callable(value) and not inspect.isclass(value)
    return True


def has(kind, name):
    """Return whether a class, or what it makes of itself, has an attribute."""
    if hasattr(kind, name) or name in getattr(kind, "model_fields", ()):
        return True
    made = [vars(base).get("__init__") for base in getattr(kind, "__mro__", ())]
    return any(name in item.__code__.co_names for item in made if inspect.isfunction(item))


def faults(text):
    """Return what is missing or of another kind, by full name, and how many names were seen."""
    found, seen = {}, 0
    for module, names in json.loads(text).items():
        try:
            loaded = importlib.import_module(module)
        except BaseException as error:
            found[module] = f"{type(error).__name__}: {error}"
            continue
        for name, told in names.items():
            if name == "*":
                if sorted(loaded.__all__) != told:
                    found[f"{module}.__all__"] = "is another"
                continue
            told, attributes = (told, []) if isinstance(told, str) else told
            seen += 1
            try:
                value = getattr(loaded, name)
            except BaseException as error:
                found[f"{module}.{name}"] = f"{type(error).__name__}: {error}"
                continue
            if not fits(told, value):
                found[f"{module}.{name}"] = f"is of another kind: {type(value).__name__}"
            missing = [item for item in attributes if not has(value, item)]
            if missing:
                found[f"{module}.{name}"] = missing
    return json.dumps([found, seen])


def present(text):
    """Return those of the names, by module, that can be imported all the same."""
    found = []
    for module, names in json.loads(text).items():
        try:
            loaded = importlib.import_module(module)
        except ImportError:
            continue
        # A module that is imported is an attribute of the one above.
        found += [
            f"{module}.{name}"
            for name in names
            if name != "*" and f"{module}.{name}" not in sys.modules and hasattr(loaded, name)
        ]
    return json.dumps(found)
