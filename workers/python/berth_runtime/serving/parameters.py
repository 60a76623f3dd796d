"""The parameters of a handler: compiled from its signature, validated before it is called."""

import functools
import inspect
import json
import typing

from ..model.base import BaseModel
from ..model.compile import compile_field
from ..model.errors import Invalid, ValidationError
from ..model.fields import UNDEFINED, declare, is_named, resolved
from ..model.functions import WithJsonSchema
from ..model.nodes.classes import hints_of
from ..model.nodes.records import Record, Slot
from ..model.nodes.scalars import LAX
from ..model.schema import Generator, in_order

# Forms that say nothing of values: the SDK lets its arguments be of arbitrary types.
_ANYTHING = (typing.NoReturn, typing.Never, typing.LiteralString)


class InvalidSignature(Exception):
    """A function cannot be offered because of its signature."""


def name_of(function):
    """Return the name of a function or callable object."""
    while isinstance(function, functools.partial):
        function = function.func
    return getattr(function, "__name__", None) or type(function).__name__


def signature_of(function):
    """Return the signature with annotations resolved; raises InvalidSignature."""
    try:
        signature = inspect.signature(function, eval_str=True)
    except NameError as error:
        text = f"Unable to evaluate type annotations for callable {name_of(function)!r}"
        raise InvalidSignature(text) from error
    parameters = signature.parameters.values()
    if any(is_named(parameter.annotation) for parameter in parameters):
        names = names_of(function)
        parameters = [
            parameter.replace(annotation=resolved_in(parameter.annotation, names))
            for parameter in parameters
        ]
        signature = signature.replace(parameters=parameters)
    return signature


def names_of(function):
    """Return the names that the annotations of a function may use."""
    while isinstance(function, functools.partial):
        function = function.func
    function = getattr(inspect.unwrap(function), "__func__", function)
    return {**vars(typing), **getattr(function, "__globals__", {})}


def resolved_in(annotation, names):
    """Return an annotation with what is quoted in it evaluated, as it is where that fails."""
    try:
        return resolved(annotation, names)
    except NameError, SyntaxError, TypeError:
        return annotation


def context_parameter(function, context_type):
    """Return the name of the parameter annotated with the Context class, or None."""
    target = function
    while isinstance(target, functools.partial):
        target = target.func
    if not inspect.isroutine(target):
        target = type(target).__call__
    try:
        hints = hints_of(target)
    except Exception:
        return None
    for name, annotation in hints.items():
        if name != "return" and _mentions(annotation, context_type):
            return name
    return None


def _mentions(annotation, wanted):
    if isinstance(annotation, type):
        return issubclass(annotation, wanted)
    origin = typing.get_origin(annotation)
    if isinstance(origin, type) and issubclass(origin, wanted):
        return True
    return any(_mentions(item, wanted) for item in typing.get_args(annotation))


class Parameters:
    """The compiled parameters of one handler, as the official SDK treats them."""

    def __init__(self, function, skip=()):
        self.name = name_of(function)
        self.annotations = {}
        slots, signature = [], signature_of(function)
        self.returned = signature.return_annotation
        for parameter in signature.parameters.values():
            if parameter.name in skip:
                continue
            if parameter.name.startswith("_"):
                text = f"Parameter {parameter.name} of {self.name} cannot start with '_'"
                raise InvalidSignature(text)
            slots.append(self._slot(parameter))
        self.record = Record(slots)

    def _slot(self, parameter):
        default = UNDEFINED if parameter.default is inspect.Parameter.empty else parameter.default
        annotation = parameter.annotation
        if annotation in _ANYTHING or typing.get_origin(annotation) is typing.Unpack:
            annotation = typing.Any
        if annotation is inspect.Parameter.empty:
            schema = {"title": parameter.name, "type": "string"}
            annotation = typing.Annotated[typing.Any, WithJsonSchema(schema)]
        info = declare(annotation, default)
        slot = Slot(parameter.name, info, compile_field(info))
        self.annotations[slot.alias] = info.annotation
        if hasattr(BaseModel, parameter.name) and slot.alias == parameter.name:
            slot.alias = parameter.name
        return slot

    def schema(self):
        """Return the input schema."""
        generator = Generator()
        shape = self.record.shape(generator, title=f"{self.name}Arguments")
        if generator.definitions:
            shape["$defs"] = generator.definitions
        return in_order(shape)

    def validate(self, arguments):
        """Return the arguments to call the handler with; raises ValidationError."""
        given = self._parsed(arguments)
        try:
            values, _, _ = self.record.collect(given, LAX, given)
        except Invalid as error:
            raise ValidationError(f"{self.name}Arguments", error.lines) from None
        # The SDK passes a parameter with an alias by that name, and functions may count on it.
        return {slot.info.alias or slot.name: values[slot.name] for slot in self.record.slots}

    def _parsed(self, arguments):
        """Parse objects and lists that a client sent as JSON text."""
        given = dict(arguments)
        for key, value in arguments.items():
            if not isinstance(value, str) or self.annotations.get(key, str) is str:
                continue
            try:
                parsed = json.loads(value)
            except ValueError:
                continue
            if not isinstance(parsed, (str, int, float)):
                given[key] = parsed
        return given
