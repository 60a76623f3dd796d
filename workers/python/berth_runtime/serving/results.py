"""Structured results: the output schema of a handler and the value that conforms to it."""

import inspect
import types
import typing

from ..model.base import BaseModel
from ..model.compile import compile_field, compile_type
from ..model.dump import to_jsonable
from ..model.errors import Invalid, ValidationError, invalid
from ..model.fields import declare, is_named, resolved
from ..model.nodes.classes import hints_of, is_typed_dict
from ..model.nodes.records import Record, Slot
from ..model.nodes.scalars import LAX
from ..model.schema import Generator, in_order, json_schema
from ..model.unsupported import NoSchema, PydanticSchemaGenerationError
from .parameters import InvalidSignature, name_of
from .schema_check import fault_of

_WRAPPED = (str, int, float, bool, bytes, type(None))


class Unfit(Exception):
    """A result that the protocol, not the tool, refuses; its text is the whole answer."""


class Output:
    """How results of one handler are validated and described. `wrap`: under the key `result`."""

    def __init__(self, title, node, schema, wrap, model=None):
        self.title = title
        self.model = model or title
        self.node = node
        self.schema = schema
        self.wrap = wrap

    def structured(self, value):
        """Return the structured content of a result; raises ValidationError."""
        try:
            accepted = self.node.validate(value, LAX)
        except Invalid as error:
            lines = [line.under("result") for line in error.lines] if self.wrap else error.lines
            raise ValidationError(self.model, lines) from None
        data = to_jsonable(accepted)
        if self.wrap:
            return {"result": data}
        if not isinstance(data, dict):
            text = "Input should be a valid dictionary"
            lines = invalid("dict_type", text, data).lines
            faults = [line.under("structuredContent") for line in lines]
            raise Unfit(str(ValidationError("CallToolResult", faults)))
        return conforming(data, self.schema)


def conforming(data, schema):
    """Return structured content that conforms to its schema; raises Unfit."""
    fault = fault_of(data, schema)
    if fault is not None:
        raise Unfit(f"Output validation error: {fault}")
    return data


def output_of(function, returned, structured_output=None):
    """Return the Output that a return annotation asks for, or None for unstructured results."""
    if structured_output is False:
        return None
    name = name_of(function)
    if returned is inspect.Signature.empty:
        if structured_output:
            text = f"Function {name}: return annotation required for structured output"
            raise InvalidSignature(text)
        return None
    made = _output(name, returned)
    if made is None and structured_output:
        text = f"Function {name}: return type {returned} is not serializable for structured output"
        raise InvalidSignature(text)
    return made


def _output(name, returned):
    quoted = isinstance(returned, str)
    if is_named(returned):
        try:
            # The SDK makes its model where the names of the server are not known.
            returned = resolved(returned, {"Any": typing.Any})
        except NameError, SyntaxError, TypeError:
            return None
    info = declare(returned)
    plain = info.annotation
    try:
        if quoted or plain is None or plain in _WRAPPED:
            return _wrapped(name, info)
        if isinstance(plain, types.GenericAlias):
            arguments = typing.get_args(plain)
            if typing.get_origin(plain) is dict and len(arguments) == 2 and arguments[0] is str:
                node = compile_field(info)
                title = f"{name}DictOutput"
                return Output(title, node, json_schema(node, title=title), False, "DictModel")
            return _wrapped(name, info)
        if isinstance(plain, type):
            return _of_class(plain)
        return _wrapped(name, info)
    except PydanticSchemaGenerationError:
        raise
    except NoSchema, TypeError, ValueError, NameError:
        return None


def _of_class(kind):
    if kind is typing.Any or getattr(kind, "__berth_unstructured__", False):
        return None
    if issubclass(kind, BaseModel) or callable(getattr(kind, "model_json_schema", None)):
        node = compile_type(kind)
        return Output(kind.__name__, node, _in_place(json_schema(node)), False)
    if is_typed_dict(kind):
        return _of_typed_dict(kind)
    if kind.__module__ == "builtins" or issubclass(kind, tuple):
        return None
    # Without `Annotated`, as the SDK reads them.
    hints = hints_of(kind, include_extras=False)
    return _of_attributes(kind, hints) if hints else None


def _in_place(schema):
    """Return a schema that is an object itself, as MCP wants it, not a reference to one.

    That of a recursive model is one.
    """
    name = schema.get("$ref", "").removeprefix("#/$defs/")
    if name not in schema.get("$defs", {}):
        return schema
    return {"$defs": schema["$defs"], **schema["$defs"][name]}


def _of_typed_dict(kind):
    slots = []
    # Without `Annotated`, as the SDK reads them: descriptions of keys are not in output schemas.
    for name, annotation in hints_of(kind, include_extras=False).items():
        optional = name not in kind.__required_keys__
        info = declare(annotation, None) if optional else declare(annotation)
        slots.append(Slot(name, info, compile_field(info)))
    return _of_slots(kind, slots)


def _of_attributes(kind, hints):
    slots = []
    for name, annotation in hints.items():
        default = getattr(kind, name, ...)
        info = declare(annotation, default)
        slots.append(Slot(name, info, compile_field(info)))
    return _of_slots(kind, slots)


def _of_slots(kind, slots):
    record = Record(slots)
    generator = Generator()
    shape = record.shape(generator, title=kind.__name__)
    if generator.definitions:
        shape["$defs"] = generator.definitions
    return Output(kind.__name__, _Attributes(kind, record), in_order(shape), False)


class _Attributes:
    """Validates a dictionary, or the attributes of any object, against fields."""

    def __init__(self, kind, record):
        self.kind = kind
        self.record = record

    def validate(self, value, mode):
        if not isinstance(value, dict):
            names = [slot.name for slot in self.record.slots]
            value = {name: getattr(value, name) for name in names if hasattr(value, name)}
        values, _, _ = self.record.collect(value, mode)
        return values


def _wrapped(name, info):
    node = compile_field(info)
    title = f"{name}Output"
    generator = Generator()
    slot = Slot("result", info, node)
    shape = Record([slot]).shape(generator, title=title)
    if generator.definitions:
        shape["$defs"] = generator.definitions
    return Output(title, node, in_order(shape), True)
