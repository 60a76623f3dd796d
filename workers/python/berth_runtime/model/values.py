"""Nodes for dates, times, decimals, identifiers, paths, addresses and instances of classes."""

import datetime
import decimal
import pathlib
import re
import uuid

from .errors import invalid
from .scalars import LAX, Node, NumberNode


class TextualNode(Node):
    """A type that is written as text in JSON: `parse` makes it from text and numbers."""

    def __init__(self, kind, name, fmt, parse, faults):
        self.kind = kind
        self.tag = name
        self.format = fmt
        self.parse = parse
        self.type_fault, self.parse_fault = faults

    def validate(self, value, mode):
        if isinstance(value, self.kind) and not (
            self.kind is datetime.date and isinstance(value, datetime.datetime)
        ):
            return value
        if mode == LAX and isinstance(value, (str, int, float, *self.accepted)):
            if not isinstance(value, bool):
                try:
                    return self.parse(value)
                except (ValueError, TypeError, OverflowError, ArithmeticError):
                    raise invalid(*self.parse_fault, value) from None
        raise invalid(*self.type_fault, value)

    @property
    def accepted(self):
        """Types beside text and numbers that are converted."""
        return (datetime.date,) if self.kind in (datetime.date, datetime.datetime) else ()

    def schema(self, generator):
        return {"type": "string", **({"format": self.format} if self.format else {})}


def _datetime(value):
    if isinstance(value, (int, float)):
        seconds = value / 1000 if abs(value) > 2e10 else value
        return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    if isinstance(value, datetime.date):
        return datetime.datetime(value.year, value.month, value.day)
    text = value.strip()
    if re.fullmatch(r"-?\d+(\.\d+)?", text):
        return _datetime(float(text))
    return datetime.datetime.fromisoformat(text)


def _date(value):
    if isinstance(value, datetime.datetime):
        moment = value
    elif isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        return datetime.date.fromisoformat(value)
    else:
        moment = _datetime(value)
    if moment.time() != datetime.time(0):
        raise ValueError("not a whole day")
    return moment.date()


def _time(value):
    if isinstance(value, (int, float)):
        base = datetime.datetime(2000, 1, 1, tzinfo=datetime.timezone.utc)
        return (base + datetime.timedelta(seconds=value)).timetz()
    return datetime.time.fromisoformat(value)


_ISO_DURATION = re.compile(
    r"(?P<sign>[+-]?)P(?:(?P<weeks>[\d.]+)W)?(?:(?P<days>[\d.]+)D)?"
    r"(?:T(?:(?P<hours>[\d.]+)H)?(?:(?P<minutes>[\d.]+)M)?(?:(?P<seconds>[\d.]+)S)?)?\Z"
)
_CLOCK = re.compile(
    r"(?P<sign>[+-]?)(?:(?P<days>\d+)\s*(?:d|days?,?)\s*)?"
    r"(?P<hours>\d+):(?P<minutes>\d\d)(?::(?P<seconds>\d\d(?:\.\d+)?))?\Z"
)


def _timedelta(value):
    if isinstance(value, (int, float)):
        return datetime.timedelta(seconds=value)
    found = _ISO_DURATION.match(value) or _CLOCK.match(value)
    if not found:
        return datetime.timedelta(seconds=float(value))
    parts = found.groupdict()
    sign = -1 if parts.pop("sign") == "-" else 1
    given = {key: float(text) for key, text in parts.items() if text}
    if not given:
        raise ValueError("empty duration")
    return sign * datetime.timedelta(**given)


_MOMENT = "Input should be a valid datetime"


def temporal(kind):
    """Return the node of a class of `datetime`."""
    if kind is datetime.datetime:
        faults = (("datetime_type", _MOMENT), ("datetime_parsing", _MOMENT))
        return TextualNode(kind, "datetime", "date-time", _datetime, faults)
    if kind is datetime.date:
        text = "Input should be a valid date"
        faults = (("date_type", text), ("date_from_datetime_parsing", f"{text} or datetime"))
        return TextualNode(kind, "date", "date", _date, faults)
    if kind is datetime.time:
        text = "Input should be in a valid time format"
        faults = (("time_type", "Input should be a valid time"), ("time_parsing", text))
        return TextualNode(kind, "time", "time", _time, faults)
    text = "Input should be a valid timedelta"
    faults = (("time_delta_type", text), ("time_delta_parsing", text))
    return TextualNode(kind, "timedelta", "duration", _timedelta, faults)


def uuid_node():
    """Return the node of `uuid.UUID`."""
    text = "UUID input should be a string, bytes or UUID object"
    faults = (("uuid_type", text), ("uuid_parsing", "Input should be a valid UUID"))
    return TextualNode(uuid.UUID, "uuid", "uuid", lambda text: uuid.UUID(text), faults)


def path_node(kind=pathlib.Path):
    """Return the node of a pathlib class."""
    text = f"Input should be a valid path for {kind}"
    faults = (("path_type", text), ("path_type", text))
    return TextualNode(kind, "path", "path", lambda given: kind(given), faults)


class DecimalNode(NumberNode):
    """Accepts decimals, numbers and, in LAX mode, numbers in text."""

    tag = "decimal"

    def validate(self, value, mode):
        if isinstance(value, decimal.Decimal):
            return self.check(value, value)
        if isinstance(value, (int, float, str)) and not isinstance(value, bool) and mode == LAX:
            try:
                return self.check(decimal.Decimal(str(value).strip()), value)
            except ArithmeticError:
                raise invalid("decimal_parsing", "Input should be a valid decimal", value) from None
        text = "Decimal input should be an integer, float, string or Decimal object"
        raise invalid("decimal_type", text, value)

    def schema(self, generator):
        number = {"type": "number", **self.bounded(("gt", "ge", "lt", "le", "multiple_of"))}
        pattern = r"^(?!^[-+.]*$)[+-]?0*\d*\.?\d*$"
        return {"anyOf": [number, {"type": "string", "pattern": pattern}]}


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
        raise NoSchema(f"Cannot generate a JsonSchema for {self.kind.__qualname__}")


class CallableNode(Node):
    """Accepts anything that can be called."""

    tag = "callable"

    def validate(self, value, mode):
        if not callable(value):
            raise invalid("callable_type", "Input should be callable", value)
        return value

    def schema(self, generator):
        raise NoSchema("Cannot generate a JsonSchema for core_schema.CallableSchema")


class NoSchema(TypeError):
    """A type that validation or JSON Schema cannot express."""


def pattern_node():
    """Return the node of `re.Pattern`."""
    faults = (
        ("pattern_type", "Input should be a valid pattern"),
        ("pattern_regex", "Input should be a valid regular expression"),
    )
    return TextualNode(re.Pattern, "pattern", "regex", re.compile, faults)
