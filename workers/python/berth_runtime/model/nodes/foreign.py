"""Types of the real pydantic, when the server has imported it: pydantic validates and describes.

A field whose annotation mentions a model, type or validator of pydantic anywhere is pydantic's as a
whole, so that texts and schemas are its own; all other fields never reach it.
"""

import sys
import typing

from ..errors import Invalid, Line, Unlisted
from ..fields import PLAIN, FieldInfo
from .scalars import LAX, Node


def is_here():
    """Return whether the real pydantic is imported."""
    return "pydantic_core" in sys.modules


def native(item):
    """Return a `Field(...)` of pydantic as Berth's own declaration; anything else as it is."""
    kind = type(item)
    if kind.__name__ != "FieldInfo" or kind.__module__ != "pydantic.fields":
        return item
    given = {key: getattr(item, key) for key in PLAIN if key in item._attributes_set}
    own = FieldInfo(default_factory=item.default_factory, **given)
    if "default" in item._attributes_set and not item.is_required():
        own.default = item.default
    own.metadata = list(item.metadata)
    return own


def mentions(annotation, metadata=()):
    """Return whether an annotation or its metadata holds something of pydantic's."""
    if not is_here():
        return False
    return any(map(_is_marker, metadata)) or _mentions(annotation, set())


def _mentions(annotation, seen):
    if isinstance(annotation, type) and typing.get_origin(annotation) is None:
        return _is_marker(annotation)
    if id(annotation) in seen:
        return False
    seen.add(id(annotation))
    if any(map(_is_marker, getattr(annotation, "__metadata__", ()))):
        return True
    if is_alias(annotation):
        return _mentions(annotation.__value__, seen)
    origin = typing.get_origin(annotation)
    inner = typing.get_args(annotation)
    return _is_marker(origin) or any(_mentions(item, seen) for item in inner)


def is_alias(annotation):
    """Return whether an annotation is a named type, of `typing` or of `typing_extensions`."""
    return type(annotation).__name__ == "TypeAliasType"


def _is_marker(item):
    """Return whether pydantic asks an object for its schema; Berth's own models do not count."""
    if hasattr(item, "__berth_record__"):
        return False
    names = (
        "__get_pydantic_core_schema__",
        "__get_pydantic_json_schema__",
        "__pydantic_core_schema__",
    )
    return any(hasattr(item, name) for name in names)


def field_node(info):
    """Return the node of a field that mentions something of pydantic's."""
    from pydantic import Field

    metadata = list(info.metadata)
    if info.constraints:
        metadata.append(Field(**info.constraints))
    if info.discriminator is not None:
        metadata.append(Field(discriminator=info.discriminator))
    annotation = info.annotation
    return ForeignNode(typing.Annotated[annotation, *metadata] if metadata else annotation)


class ForeignNode(Node):
    """A type that pydantic validates and describes."""

    def __init__(self, annotation):
        from pydantic import TypeAdapter

        self.annotation = annotation
        self.tag = getattr(annotation, "__name__", "model")
        self._adapter = _adapter(TypeAdapter, annotation)
        # As an item of a list even a model is described by reference.
        self._listed = _adapter(TypeAdapter, list[annotation])
        self.omitted = False
        try:
            self.titled = _is_titled(self.schema(None))
        except Exception as error:
            if type(error).__name__ != "PydanticOmit":
                raise
            self.omitted = True

    def validate(self, value, mode):
        try:
            return self._adapter.validate_python(value, strict=None if mode == LAX else True)
        except ValueError as error:
            if not callable(getattr(error, "errors", None)):
                raise
            raise Invalid(_lines(error)) from None

    def schema(self, generator):
        mode = "serialization" if generator is not None and generator.writing else "validation"
        shape = self._listed.json_schema(mode=mode)
        if generator is not None:
            generator.definitions.update(shape.get("$defs", {}))
        return shape.get("items", {})


def _is_titled(shape):
    """Return whether a field of this shape gets a title: not one that refers to a definition."""
    choices = [item for item in shape.get("anyOf", ()) if item != {"type": "null"}]
    optional = len(choices) == 1 and len(shape["anyOf"]) == 2
    return "$ref" not in (choices[0] if optional else shape)


def _adapter(make, annotation):
    from pydantic import PydanticUserError

    try:
        return make(annotation, config={"arbitrary_types_allowed": True})
    except PydanticUserError:
        return make(annotation)


def _lines(error):
    lines = []
    for item in error.errors():
        kind = item["type"] if "url" in item else Unlisted(item["type"])
        lines.append(Line(kind, item["msg"], item["input"], item["loc"], item.get("ctx")))
    return lines


def core_schema_of(model):
    """Return what pydantic needs to take one of Berth's models (as those of `mcp.types`)."""
    from pydantic_core import core_schema

    def validated(value):
        return value if isinstance(value, model) else model.model_validate(value)

    def written(value, info):
        return value.model_dump(mode=info.mode, by_alias=True)

    return core_schema.no_info_plain_validator_function(
        validated,
        serialization=core_schema.plain_serializer_function_ser_schema(written, info_arg=True),
    )
