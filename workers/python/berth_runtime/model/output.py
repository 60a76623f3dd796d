"""Writing models: `model_dump` and its options."""

import collections.abc
import dataclasses
import functools

from .dump import to_jsonable
from .validators import CLASSES_KEPT, computed_names, decorated


@dataclasses.dataclass
class Options:
    """The options of one dump."""

    mode: str = "python"
    by_alias: bool = False
    exclude_none: bool = False
    exclude_unset: bool = False
    exclude_defaults: bool = False
    include: object = None
    exclude: object = None
    fallback: object = None

    @classmethod
    def of(cls, given):
        """Take the known options of a call; others have no effect."""
        known = cls.__dataclass_fields__
        return cls(**{key: value for key, value in given.items() if key in known and value})

    def inner(self, name):
        """Return the options for the value of one field."""
        if self.include is None and self.exclude is None:
            return self
        include = self.include.get(name) if isinstance(self.include, dict) else None
        exclude = self.exclude.get(name) if isinstance(self.exclude, dict) else None
        return dataclasses.replace(
            self,
            include=include if include not in (True, ...) else None,
            exclude=exclude if exclude not in (True, ...) else None,
        )

    def wants(self, name):
        """Return whether a field is to be written at all."""
        if self.include is not None and name not in self.include:
            return False
        if self.exclude is None or name not in self.exclude:
            return True
        return isinstance(self.exclude, dict) and self.exclude[name] not in (True, ...)


def dump_model(model, options):
    """Return the fields of a model as data."""
    cls = type(model)
    for item in decorated(cls, "model_serializer"):
        return _value(item.function.__get__(model, cls)(), options)
    if getattr(cls, "__berth_root__", False):
        return _value(model.__dict__.get("root"), options)
    writers = _writers(cls)
    written = {}
    slots = cls.__berth_record__().by_field
    named = model.__pydantic_fields_set__
    for name, value in model.__dict__.items():
        slot = slots.get(name)
        if slot is None and name not in (getattr(model, "__pydantic_extra__", None) or ()):
            continue
        if not options.wants(name) or slot is not None and slot.info.exclude:
            continue
        if options.exclude_unset and slot is not None and name not in named:
            continue
        if options.exclude_none and value is None:
            continue
        if options.exclude_defaults and slot is not None and not slot.info.is_required():
            if value == slot.info.get_default():
                continue
        if name in writers:
            value = writers[name].function.__get__(model, cls)(value)
        key = slot.output if slot is not None and options.by_alias else name
        written[key] = _value(value, options.inner(name))
    for name in computed_names(cls):
        if options.wants(name):
            written[name] = _value(getattr(model, name), options.inner(name))
    return written


@functools.lru_cache(maxsize=CLASSES_KEPT)
def _writers(cls):
    found = {}
    for item in decorated(cls, "field_serializer"):
        for name in item.options["names"]:
            found[name] = item
    return found


def _value(value, options):
    if hasattr(value, "__berth_dump__") and not isinstance(value, type):
        return value.__berth_dump__(options=options)
    if options.mode == "json":
        if isinstance(value, collections.abc.Mapping):
            return {
                next(iter(to_jsonable({key: None}))): _value(item, options)
                for key, item in value.items()
            }
        if isinstance(value, (list, tuple, set, frozenset)):
            return [_value(item, options) for item in value]
        return to_jsonable(value, fallback=options.fallback, options=options)
    if isinstance(value, dict):
        return {key: _value(item, options) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)) and not hasattr(value, "_fields"):
        return type(value)(_value(item, options) for item in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: _value(getattr(value, f.name), options) for f in dataclasses.fields(value)}
    return value
