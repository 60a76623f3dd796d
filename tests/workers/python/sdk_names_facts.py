"""Which of an SDK's public names Berth has, and of which kind; run inside the interpreter."""

import importlib
import inspect
import json
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


def faults(text):
    """Return what is missing or of another kind, as `module.name: fault`, and all that was seen."""
    found, seen = [], 0
    for module, names in json.loads(text).items():
        try:
            loaded = importlib.import_module(module)
        except BaseException as error:
            found.append(f"{module}: {type(error).__name__}: {error}")
            continue
        for name, told in names.items():
            told, attributes = (told, []) if isinstance(told, str) else told
            seen += 1
            try:
                value = getattr(loaded, name)
            except BaseException as error:
                found.append(f"{module}.{name}: {type(error).__name__}: {error}"[:160])
                continue
            if not fits(told, value):
                found.append(f"{module}.{name}: {told[0]}, here {type(value).__name__}")
            missing = [item for item in attributes if not _has(value, item)]
            if missing:
                found.append(f"{module}.{name} lacks {' '.join(missing)}")
    return json.dumps([found, seen])


def _has(kind, name):
    return (
        hasattr(kind, name)
        or name in getattr(kind, "model_fields", ())
        or (name in getattr(kind, "__annotations__", ()))
    )
