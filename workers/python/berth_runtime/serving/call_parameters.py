"""Parameters as `fastmcp` treats them: unknown ones are faults, schemas have no titles."""

import inspect
import typing

from ..model.compile import compile_field
from ..model.errors import Invalid, ValidationError
from ..model.fields import UNDEFINED, FieldInfo, declare
from ..model.nodes.records import ARGUMENT_FAULTS, Record, Slot
from ..model.nodes.scalars import LAX
from ..model.schema import Generator, in_order
from .parameters import name_of, signature_of

_MISSING_KEYWORD = ("missing_keyword_only_argument", "Missing required keyword only argument")
_MARKS = ("type", "properties", "$ref", "items", "allOf", "oneOf", "anyOf", "required")


class CallParameters:
    """The compiled parameters of one function; `skip` names those that are injected.

    `title` names the call in the texts of faults; what is `hidden` is accepted but not described.
    """

    def __init__(self, function, skip=(), title=None, hidden=()):
        self.hidden = hidden
        self.title = title or f"call[{name_of(function)}]"
        slots = []
        for parameter in signature_of(function).parameters.values():
            if parameter.name not in skip:
                slots.append(_slot(parameter))
        self.record = Record(slots, extra="forbid", faults=ARGUMENT_FAULTS)

    def schema(self):
        """Return the input schema without titles."""
        generator = Generator()
        shape = self.record.shape(generator, title=None)
        for name in self.hidden:
            shape["properties"].pop(name, None)
        if generator.definitions:
            shape["$defs"] = generator.definitions
        return prune(in_order(shape))

    def validate(self, arguments):
        """Return the arguments to call the function with; raises ValidationError."""
        try:
            return self.record.collect(arguments, LAX, arguments)[0]
        except Invalid as error:
            raise ValidationError(self.title, error.lines) from None


def _slot(parameter):
    default = UNDEFINED if parameter.default is inspect.Parameter.empty else parameter.default
    annotation = parameter.annotation
    if annotation is inspect.Parameter.empty:
        annotation = typing.Any
    arguments = typing.get_args(annotation)
    if typing.get_origin(annotation) is typing.Annotated and len(arguments) == 2:
        if isinstance(arguments[1], str):
            annotation = typing.Annotated[arguments[0], FieldInfo(description=arguments[1])]
    info = declare(annotation, default)
    slot = Slot(parameter.name, info, compile_field(info))
    if parameter.kind is parameter.KEYWORD_ONLY:
        slot.missing = _MISSING_KEYWORD
    return slot


def prune(schema, titles=True):
    """Return a schema without `additionalProperties: false` and, unless kept, without titles."""
    if isinstance(schema, list):
        return [prune(item, titles) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kept = dict(schema)
    if titles and "title" in kept and any(mark in kept for mark in _MARKS):
        del kept["title"]
    if kept.get("additionalProperties") is False:
        del kept["additionalProperties"]
    return {key: prune(value, titles) for key, value in kept.items()}
