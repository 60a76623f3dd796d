"""What the body of a model class declares, and its compilation into a `Record`."""

import sys
import typing

from .compile import compile_field
from .errors import Invalid, Line
from .fields import UNDEFINED, FieldInfo, declare, substitute
from .nodes.classes import hints_of
from .nodes.containers import CheckedNode
from .nodes.records import Record, Slot
from .schema import describe
from .validators import (
    Decorated,
    ValidationInfo,
    call_validator,
    computed_names,
    field_checks,
)

CONFIG_KEYS = {
    "title",
    "extra",
    "frozen",
    "populate_by_name",
    "validate_by_name",
    "validate_by_alias",
    "validate_assignment",
    "arbitrary_types_allowed",
    "from_attributes",
    "alias_generator",
    "json_schema_extra",
    "str_strip_whitespace",
    "use_enum_values",
    "strict",
}


class PrivateAttr:
    """Default of an attribute that is no field."""

    def __init__(self, default=UNDEFINED, *, default_factory=None, **_):
        self.default = default
        self.default_factory = default_factory

    def make(self):
        """Return a fresh default value."""
        if self.default_factory is not None:
            return self.default_factory()
        return FieldInfo(self.default).get_default()


def _annotation_names(cls):
    """Return the names annotated in the class body without evaluating the annotations."""
    try:
        import annotationlib
    except ImportError:
        return list(cls.__dict__.get("__annotations__", {}))
    form = annotationlib.Format.FORWARDREF
    return list(annotationlib.get_annotations(cls, format=form))


def prepare(cls, options):
    """Take field defaults and private attributes out of a new class's namespace."""
    config = {}
    for base in reversed(cls.__mro__[1:]):
        config.update(base.__dict__.get("model_config", {}))
    config.update(cls.__dict__.get("model_config", {}))
    older = cls.__dict__.get("Config")
    if isinstance(older, type):
        config.update({key: getattr(older, key) for key in dir(older) if key[0] != "_"})
    cls.model_config = {**config, **options}
    defaults, private = {}, {}
    names = _annotation_names(cls)
    for name in names:
        if name in cls.__dict__ and not isinstance(cls.__dict__[name], (property, Decorated)):
            target = private if name.startswith("_") else defaults
            if not name.startswith("__"):
                target[name] = cls.__dict__[name]
                if name != "model_config":
                    delattr(cls, name)
    for name, value in list(cls.__dict__.items()):
        if isinstance(value, PrivateAttr):
            private[name] = value
            delattr(cls, name)
    cls.__berth_defaults__ = defaults
    cls.__berth_private__ = private
    cls.__berth_names__ = [n for n in names if not n.startswith("_") and n != "model_config"]
    for name, value in defaults.items():
        if not isinstance(value, FieldInfo) and _is_class_variable(cls, name):
            setattr(cls, name, value)


class Fields:
    """`Model.model_fields`: the declarations by name, compiled when first asked for."""

    def __get__(self, instance, owner):
        return {slot.name: slot.info for slot in owner.__berth_record__().slots}


def _is_class_variable(cls, name):
    raw = getattr(cls, "__annotations__", {}).get(name) if sys.version_info < (3, 14) else None
    if raw is None:
        import annotationlib

        form = annotationlib.Format.FORWARDREF
        raw = annotationlib.get_annotations(cls, format=form).get(name)
    text = raw if isinstance(raw, str) else ""
    return typing.get_origin(raw) is typing.ClassVar or "ClassVar" in text


def is_root(cls):
    """Return whether a model holds one bare value (`RootModel`)."""
    return getattr(cls, "__berth_root__", False)


def without_root(error):
    """Return the faults of a bare value as if there were no field around it."""
    return Invalid([Line(i.kind, i.message, i.input, i.loc[1:], i.context) for i in error.lines])


def private_defaults(instance):
    """Set the defaults of private attributes on a new instance."""
    for base in reversed(type(instance).__mro__):
        for name, value in base.__dict__.get("__berth_private__", {}).items():
            made = (
                value.make() if isinstance(value, PrivateAttr) else FieldInfo(value).get_default()
            )
            if made is not UNDEFINED:
                object.__setattr__(instance, name, made)


def compile_model(cls):
    """Compile the fields of a model and of its bases; caches the result on the class."""
    config = cls.model_config
    arguments = getattr(cls, "__berth_arguments__", {})
    generator = config.get("alias_generator")
    slots, hints = {}, hints_of(cls)
    for base in reversed(cls.__mro__):
        for name in base.__dict__.get("__berth_names__", ()):
            annotation = hints.get(name)
            if typing.get_origin(annotation) is typing.ClassVar or annotation is typing.ClassVar:
                continue
            info = declare(
                substitute(annotation, arguments),
                base.__dict__["__berth_defaults__"].get(name, UNDEFINED),
            )
            if callable(generator) and info.alias is None:
                info.alias = generator(name)
            slots[name] = Slot(name, info, compile_field(info))
    if config.get("str_strip_whitespace"):
        for slot in slots.values():
            if slot.node.tag == "str":
                slot.node = slot.node.with_constraints({"strip_whitespace": True})
    for name, checks in field_checks(cls, slots.values()).items():
        for mode, bound in checks:
            slots[name].node = CheckedNode(slots[name].node, _check(mode, bound, name))
    record = Record(
        list(slots.values()),
        extra=config.get("extra", "ignore"),
        by_name=bool(config.get("populate_by_name") or config.get("validate_by_name")),
    )
    cls.__berth_compiled__ = record
    return record


def _check(mode, bound, name):
    def run(value, validate):
        info = ValidationInfo(field_name=name)
        if mode == "before":
            return validate(call_validator(bound, value, info, value))
        if mode == "after":
            return call_validator(bound, value, info, validate(value))
        if mode == "wrap":
            return call_validator(bound, value, info, value, validate)
        return call_validator(bound, value, info, value)

    return run


def model_schema(cls, generator):
    """Return a reference to the model's schema, defined when first met."""

    def build(inner):
        record = cls.__berth_record__()
        if is_root(cls):
            slot = record.slots[0]
            shape = {**slot.node.schema(inner)}
            shape.setdefault("title", cls.__name__)
        else:
            doc = cls.__dict__.get("__doc__")
            title = cls.model_config.get("title") or cls.__name__
            shape = record.shape(inner, title=title, description=doc)
            if inner.writing:
                _add_computed(cls, shape, inner)
        extra = cls.model_config.get("json_schema_extra")
        if callable(extra):
            extra(shape)
        elif extra:
            shape.update(extra)
        return shape

    return generator.reference(cls, build)


def _add_computed(cls, shape, generator):
    """Describe the computed fields, which are written although they are never read."""
    for name in computed_names(cls):
        returned = hints_of(getattr(cls, name).fget).get("return", typing.Any)
        info = declare(returned)
        node = compile_field(info)
        described = describe(node.schema(generator), info, name, node.titled)
        shape["properties"][name] = {**described, "readOnly": True}
        shape.setdefault("required", []).append(name)


def parametrize(cls, arguments):
    """Return `Model[T]` with its type variables replaced."""
    arguments = arguments if isinstance(arguments, tuple) else (arguments,)
    names = [getattr(item, "__name__", repr(item)) for item in arguments]
    variables = getattr(cls, "__parameters__", ()) or getattr(cls, "__type_params__", ())
    if is_root(cls) and not variables:
        variables = (cls.__berth_variable__,)
    made = type(cls)(f"{cls.__name__}[{', '.join(names)}]", (cls,), {"__module__": cls.__module__})
    made.__berth_arguments__ = {
        **getattr(cls, "__berth_arguments__", {}),
        **dict(zip(variables, arguments)),
    }
    return made
