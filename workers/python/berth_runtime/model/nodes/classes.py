"""Nodes of classes that are not Berth's own: dataclasses, typed dictionaries, named tuples."""

import dataclasses
import sys
import typing

from ..compile import compile_field
from ..fields import UNDEFINED, FieldInfo, declare, substitute
from .records import ClassNode, Record, Slot, optional_key
from .values import InstanceNode

_made = {}


def class_node(kind, arguments=()):
    """Return the node of a class; classes without fields only accept their instances.

    `arguments` stand for the type variables of a generic class.
    """
    if (kind, arguments) not in _made:
        variables = dict(zip(getattr(kind, "__parameters__", ()), arguments))
        _made[kind, arguments] = _make(kind, variables)
    return _made[kind, arguments]


def _make(kind, variables):
    if is_typed_dict(kind):
        return ClassNode(kind, "dict", lambda: _typed_dict(kind, variables))
    if dataclasses.is_dataclass(kind):
        return ClassNode(kind, "dataclass", lambda: _dataclass(kind, variables))
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return ClassNode(kind, "tuple", lambda: _named_tuple(kind, variables))
    return InstanceNode(kind)


def is_typed_dict(kind):
    """Return whether a class is a TypedDict, that of `typing` or that of `typing_extensions`."""
    return typing.is_typeddict(kind) or hasattr(kind, "__required_keys__")


def hints_of(owner, include_extras=True):
    """Return the annotations of a class or function with names resolved."""
    try:
        return typing.get_type_hints(owner, include_extras=include_extras)
    except NameError:
        module = sys.modules.get(getattr(owner, "__module__", ""), None)
        names = {**vars(typing), **(vars(module) if module else {})}
        return typing.get_type_hints(owner, globalns=names, include_extras=include_extras)


def _hints(kind, variables):
    return {name: substitute(hint, variables) for name, hint in hints_of(kind).items()}


def _typed_dict(kind, variables):
    hints = _hints(kind, variables)
    slots = []
    for name, annotation in hints.items():
        optional = name not in kind.__required_keys__
        origin = typing.get_origin(annotation)
        while origin in (typing.Required, typing.NotRequired):
            optional = origin is typing.NotRequired
            annotation = typing.get_args(annotation)[0]
            origin = typing.get_origin(annotation)
        info = declare(annotation)
        slots.append(_slot(name, optional_key(info) if optional else info))
    config = getattr(kind, "__pydantic_config__", None) or {}
    return Record(slots, extra=config.get("extra", "ignore"))


def _dataclass(kind, variables):
    hints = _hints(kind, variables)
    slots = []
    for field in dataclasses.fields(kind):
        if not field.init:
            continue
        default = UNDEFINED
        if isinstance(field.default, FieldInfo):
            default = field.default
        elif field.default is not dataclasses.MISSING:
            default = FieldInfo(field.default)
        elif field.default_factory is not dataclasses.MISSING:
            default = FieldInfo(default_factory=field.default_factory)
        info = declare(hints.get(field.name, typing.Any), default)
        if field.metadata.get("description") and info.description is None:
            info.description = field.metadata["description"]
        slots.append(_slot(field.name, info))
    return Record(slots)


def _named_tuple(kind, variables):
    hints = _hints(kind, variables)
    return Record(
        [
            _slot(
                name,
                declare(hints.get(name, typing.Any), kind._field_defaults.get(name, UNDEFINED)),
            )
            for name in kind._fields
        ],
        extra="forbid",
    )


def _slot(name, info):
    return Slot(name, info, compile_field(info))
