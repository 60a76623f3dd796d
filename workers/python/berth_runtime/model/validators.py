"""Decorators inside models: validators, serializers, computed fields."""

import functools

from .functions import guarded

# Classes whose decorated functions are remembered: looking through their bases takes long.
CLASSES_KEPT = 4096


class Decorated:
    """A function of a model marked by a decorator; still works as a method."""

    def __init__(self, function, kind, **options):
        self.function = function
        self.kind = kind
        self.options = options

    def __get__(self, instance, owner=None):
        return self.function.__get__(instance, owner)

    def __set_name__(self, owner, name):
        self.name = name

    def bind(self, owner):
        """Return the function ready to be called with the value (and what follows it)."""
        return self.function.__get__(None, owner)


def _as_class_method(function):
    return function if isinstance(function, (classmethod, staticmethod)) else classmethod(function)


class ValidationInfo:
    """Second argument of validators: the fields validated so far, the field's name."""

    def __init__(self, data=None, field_name=None, context=None):
        self.data = data or {}
        self.field_name = field_name
        self.context = context
        self.mode = "python"
        self.config = None


def field_validator(*names, mode="after", check_fields=None, **_):
    """Validate fields with a class method; `mode` is after, before, wrap or plain."""
    return lambda function: Decorated(
        _as_class_method(function), "field_validator", names=names, mode=mode
    )


def validator(*names, pre=False, **_):
    """The older form of `field_validator`."""
    return field_validator(*names, mode="before" if pre else "after")


def model_validator(*, mode):
    """Validate the whole model: `before` gets the input, `after` the instance."""

    def decorate(function):
        kept = function if mode == "after" else _as_class_method(function)
        return Decorated(kept, "model_validator", mode=mode)

    return decorate


def root_validator(*args, pre=False, **_):
    """The older form of `model_validator`; works on dictionaries."""
    if args and callable(args[0]):
        return model_validator(mode="before")(args[0])
    return model_validator(mode="before")


def field_serializer(*names, mode="plain", **_):
    """Write fields with a method."""
    return lambda function: Decorated(function, "field_serializer", names=names, mode=mode)


def model_serializer(*args, mode="plain", **_):
    """Write the whole model with a method."""
    if args and callable(args[0]):
        return Decorated(args[0], "model_serializer", mode="plain")
    return lambda function: Decorated(function, "model_serializer", mode=mode)


class ComputedField(property):
    """A property that is written with the fields."""


def computed_field(*args, **_):
    """Turn a method or property into a field that is computed when the model is written."""

    def decorate(function):
        getter = function.fget if isinstance(function, property) else function
        return ComputedField(getter)

    return decorate(args[0]) if args else decorate


@functools.lru_cache(maxsize=CLASSES_KEPT)
def computed_names(cls):
    """Return the names of the computed fields of a model, those of bases first."""
    names = {}
    for base in reversed(cls.__mro__):
        for name, item in vars(base).items():
            if isinstance(item, ComputedField):
                names[name] = None
    return names


def field_checks(owner, slots):
    """Wrap the nodes of fields that have validators; returns the functions by field and mode."""
    checks = {}
    for item in decorated(owner, "field_validator"):
        names = item.options["names"]
        for slot in slots:
            if slot.name in names or "*" in names:
                bound = item.bind(owner)
                checks.setdefault(slot.name, []).append((item.options["mode"], bound))
    return checks


@functools.lru_cache(maxsize=CLASSES_KEPT)
def decorated(owner, kind):
    """Return the decorated functions of a class and its bases, bases first, overrides once."""
    found = {}
    for base in reversed(owner.__mro__):
        for name, item in vars(base).items():
            if isinstance(item, Decorated) and item.kind == kind:
                found[name] = item
            elif name in found:
                del found[name]
    return tuple(found.values())


def call_validator(bound, given, info, *args):
    """Call a validator with as many arguments as it takes."""
    return guarded(_adapt(bound, info, len(args)), given, *args)


def _adapt(bound, info, count):
    code = getattr(getattr(bound, "__func__", bound), "__code__", None)
    taken = code.co_argcount - (1 if hasattr(bound, "__func__") else 0) if code else count
    if taken > count or (code is not None and code.co_flags & 0x04):
        return lambda *args: bound(*args, info)
    return bound
