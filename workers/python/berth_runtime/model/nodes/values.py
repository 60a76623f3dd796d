"""Nodes for dates, decimals, identifiers, paths and instances of classes."""

import datetime
import decimal
import re
import uuid

from ..errors import invalid
from ..unsupported import PydanticInvalidForJsonSchema
from . import moments
from .scalars import EXACT, LAX, Node, NumberNode


class TemporalNode(NumberNode):
    """A date, a time, a moment or a duration."""

    def __init__(self, kind, tag, fmt, parse, words):
        self.kind = kind
        self.tag = tag
        self.format = fmt
        self.parse = parse
        self.words = words

    def validate(self, value, mode):
        if isinstance(value, self.kind) and not self._is_moment(value):
            return self.check(value, value)
        if mode == LAX and self._convertible(value):
            return self.check(self._parsed(value), value)
        name = self.tag if self.tag != "timedelta" else "time_delta"
        text = "Input should be a valid time" if self.tag == "time" else self.words
        raise invalid(f"{name}_type", text, value)

    def _is_moment(self, value):
        return self.kind is datetime.date and isinstance(value, datetime.datetime)

    def _convertible(self, value):
        if isinstance(value, bool):
            return self.tag == "timedelta"
        dates = self.tag in ("date", "datetime") and isinstance(value, datetime.date)
        return dates or isinstance(value, (str, int, float))

    def _parsed(self, value):
        try:
            return self.parse(value)
        except moments.Inexact:
            text = "Datetimes provided to dates should have zero time - e.g. be exact dates"
            raise invalid("date_from_datetime_inexact", text, value) from None
        except moments.Fault as fault:
            raise self._fault(value, str(fault)) from None

    def _fault(self, value, fault):
        if self.tag == "datetime" and isinstance(value, str):
            text = f"Input should be a valid datetime or date, {moments.date_fault(value) or fault}"
            return invalid("datetime_from_date_parsing", text, value, error=fault)
        if self.tag == "date":
            text = f"Input should be a valid date or datetime, {fault}"
            return invalid("date_from_datetime_parsing", text, value, error=fault)
        name = self.tag if self.tag != "timedelta" else "time_delta"
        return invalid(f"{name}_parsing", f"{self.words}, {fault}", value, error=fault)

    def schema(self, generator):
        return {"type": "string", "format": self.format}


def temporal(kind):
    """Return the node of a class of `datetime`."""
    if issubclass(kind, datetime.datetime):
        words = "Input should be a valid datetime"
        return TemporalNode(kind, "datetime", "date-time", moments.parse_datetime, words)
    if issubclass(kind, datetime.date):
        words = "Input should be a valid date"
        return TemporalNode(kind, "date", "date", moments.parse_date, words)
    if issubclass(kind, datetime.time):
        words = "Input should be in a valid time format"
        return TemporalNode(kind, "time", "time", moments.parse_time, words)
    words = "Input should be a valid timedelta"
    return TemporalNode(kind, "timedelta", "duration", moments.parse_timedelta, words)


class UuidNode(Node):
    """Accepts UUIDs, and in LAX mode their text."""

    tag = "uuid"

    def validate(self, value, mode):
        if isinstance(value, uuid.UUID):
            return value
        if mode == LAX and isinstance(value, str):
            fault = _uuid_fault(value)
            if fault:
                text = f"Input should be a valid UUID, {fault}"
                raise invalid("uuid_parsing", text, value, error=fault)
            return uuid.UUID(value)
        text = "UUID input should be a string, bytes or UUID object"
        raise invalid("uuid_type", text, value)

    def schema(self, generator):
        return {"type": "string", "format": "uuid"}


def _uuid_fault(value):
    text = value.removeprefix("urn:uuid:").removeprefix("{").removesuffix("}")
    for index, character in enumerate(text):
        if character not in "0123456789abcdefABCDEF-":
            return f"invalid character: found `{character}` at {index}"
    if "-" not in text:
        return "" if len(text) == 32 else f"invalid length: found {len(text)}"
    groups = text.split("-")
    if len(groups) != 5:
        return f"invalid group count: expected 5, found {len(groups)}"
    for index, (group, length) in enumerate(zip(groups, (8, 4, 4, 4, 12))):
        if len(group) != length:
            return f"invalid group length in group {index}: expected {length}, found {len(group)}"
    return ""


class PathNode(Node):
    """Accepts paths, and in LAX mode their text."""

    tag = "path"

    def __init__(self, kind, made=None):
        self.kind = kind
        self.made = made or kind

    def validate(self, value, mode):
        if isinstance(value, self.kind):
            return value
        if mode == LAX and isinstance(value, str):
            return self.made(value)
        raise invalid("path_type", f"Input is not a valid path for {self.kind}", value)

    def schema(self, generator):
        return {"type": "string", "format": "path"}


class DecimalNode(NumberNode):
    """Accepts decimals, numbers and, in LAX mode, numbers in text."""

    tag = "decimal"

    def validate(self, value, mode):
        if isinstance(value, decimal.Decimal):
            return self.check(value, value)
        if isinstance(value, (int, float, str)) and not isinstance(value, bool) and mode == LAX:
            try:
                number = decimal.Decimal(str(value).strip())
            except ArithmeticError:
                raise invalid("decimal_parsing", "Input should be a valid decimal", value) from None
            if not number.is_finite() and not self.constraints.get("allow_inf_nan"):
                raise invalid("finite_number", "Input should be a finite number", value)
            return self.check(number, value)
        text = "Decimal input should be an integer, float, string or Decimal object"
        raise invalid("decimal_type", text, value)

    def check(self, number, value):
        """Raise `Invalid` unless the number keeps its digits and bounds; return it."""
        digits = self.constraints.get("max_digits")
        places = self.constraints.get("decimal_places")
        if number.is_finite() and (digits, places) != (None, None):
            _check_digits(number, value, digits, places)
        return super().check(number, value)

    def schema(self, generator):
        if generator.writing:
            return {"type": "string"}
        number = {"type": "number", **self.bounded(("gt", "ge", "lt", "le", "multiple_of"))}
        return {"anyOf": [number, {"type": "string"}]}


def _check_digits(number, value, most, most_places):
    """Raise `Invalid` for a decimal of too many digits; trailing zeros after the point are none."""
    _, figures, exponent = number.normalize().as_tuple()
    places = max(-exponent, 0)
    digits = max(len(figures) + max(exponent, 0), places)
    words = "Decimal input should have no more than"
    if most is not None and digits > most:
        text = f"{words} {most} digit{'s' if most != 1 else ''} in total"
        raise invalid("decimal_max_digits", text, value, max_digits=most)
    if most_places is not None and places > most_places:
        text = f"{words} {most_places} decimal place{'s' if most_places != 1 else ''}"
        raise invalid("decimal_max_places", text, value, decimal_places=most_places)
    if most is not None and most_places is not None and digits - places > most - most_places:
        whole = most - most_places
        text = f"{words} {whole} digit{'s' if whole != 1 else ''} before the decimal point"
        raise invalid("decimal_whole_digits", text, value, whole_digits=whole)


class PatternNode(Node):
    """Accepts regular expressions, compiled or as text."""

    tag = "pattern"

    def validate(self, value, mode):
        if isinstance(value, re.Pattern):
            return value
        if isinstance(value, str):
            try:
                return re.compile(value)
            except re.error:
                text = "Input should be a valid regular expression"
                raise invalid("pattern_regex", text, value) from None
        raise invalid("pattern_type", "Input should be a valid pattern", value)

    def schema(self, generator):
        return {"type": "string", "format": "regex"}


class InstanceNode(Node):
    """Accepts instances of a class that has no schema of its own."""

    def __init__(self, kind):
        self.kind = kind
        self.tag = f"is-instance[{kind.__name__}]"

    def validate(self, value, mode):
        if not isinstance(value, self.kind):
            name = self.kind.__qualname__
            raise invalid("is_instance_of", f"Input should be an instance of {name}", value)
        return value

    def schema(self, generator):
        raise PydanticInvalidForJsonSchema(f"core_schema.IsInstanceSchema ({self.kind!r})")


class CallableNode(Node):
    """Accepts anything that can be called."""

    tag = "callable"

    def validate(self, value, mode):
        if not callable(value):
            raise invalid("callable_type", "Input should be callable", value)
        return value

    def schema(self, generator):
        raise PydanticInvalidForJsonSchema("core_schema.CallableSchema")


class ComplexNode(Node):
    """Accepts complex numbers, numbers and, in LAX mode, complex numbers in text."""

    tag = "complex"

    def validate(self, value, mode):
        if isinstance(value, complex) or isinstance(value, (int, float)) and mode != EXACT:
            return complex(value)
        rules = "https://docs.python.org/3/library/functions.html#complex"
        if isinstance(value, str) and mode == LAX:
            try:
                return complex(value)
            except ValueError:
                pass  # told as for other values
        text = (
            "Input should be a valid python complex object, a number, or a valid complex string "
            f"following the rules at {rules}"
        )
        raise invalid("complex_type", text, value)

    def schema(self, generator):
        return {"type": "string"}


class HashableNode(Node):
    """Accepts what can be a key of a dictionary."""

    tag = "is-hashable"

    def validate(self, value, mode):
        try:
            hash(value)
        except TypeError:
            raise invalid("is_hashable", "Input should be hashable", value) from None
        return value

    def schema(self, generator):
        return {}


class SubclassNode(Node):
    """Accepts a class and those derived from it."""

    def __init__(self, kind):
        self.kind = kind if isinstance(kind, type) else object
        self.tag = f"is-subclass[{self.kind.__name__}]"

    def validate(self, value, mode):
        if not isinstance(value, type) or not issubclass(value, self.kind):
            name = self.kind.__name__
            text = f"Input should be a subclass of {name}"
            raise invalid("is_subclass_of", text, value, class_name=name)
        return value

    def schema(self, generator):
        return {}
