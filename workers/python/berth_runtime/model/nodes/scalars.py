"""Nodes for single values. A node validates (`validate`) and describes (`schema`) one type.

Validation modes: LAX converts ("3" becomes 3), STRICT accepts related types only (an int where a
float is wanted), EXACT accepts the type itself only. Unions go through all three.
"""

import math
import re

from ..errors import invalid

LAX, STRICT, EXACT = 0, 1, 2
BIGGEST = 2**63
_TRUE = {"1", "on", "t", "true", "y", "yes"}
_FALSE = {"0", "off", "f", "false", "n", "no"}
_WHOLE = re.compile(r"[+-]?\d+(?:_\d+)*(?:\.0*)?\Z")
_SCHEMA_KEYS = {
    "gt": "exclusiveMinimum",
    "ge": "minimum",
    "lt": "exclusiveMaximum",
    "le": "maximum",
    "multiple_of": "multipleOf",
    "min_length": "minLength",
    "max_length": "maxLength",
    "pattern": "pattern",
}
_BOUNDS = (
    ("le", "less_than_equal", "less than or equal to", lambda value, bound: value <= bound),
    ("lt", "less_than", "less than", lambda value, bound: value < bound),
    ("ge", "greater_than_equal", "greater than or equal to", lambda value, bound: value >= bound),
    ("gt", "greater_than", "greater than", lambda value, bound: value > bound),
)


class Node:
    """A compiled type. `tag` names it in the errors of a union."""

    tag = "any"
    constraints = {}
    titled = True
    """Whether a field of this type gets a title of its own in the JSON Schema."""

    constrained = False
    """Whether constraints change the tag."""

    omitted = False
    """Whether a field of this type is accepted and not described."""

    def with_constraints(self, constraints):
        """Return the same node under further constraints."""
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy.constraints = {**self.constraints, **constraints}
        if self.constrained and set(copy.constraints) - {"strict"}:
            copy.tag = f"constrained-{type(self).tag}"
        return copy

    def validate(self, value, mode):
        """Return the accepted (maybe converted) value or raise `Invalid`."""
        raise NotImplementedError

    def schema(self, generator):
        """Return the JSON Schema of the accepted values."""
        raise NotImplementedError

    def bounded(self, keys):
        """Return the JSON Schema keywords of the constraints named in `keys`."""
        return {_SCHEMA_KEYS[key]: self.constraints[key] for key in keys if key in self.constraints}


class AnyNode(Node):
    """Accepts everything."""

    def validate(self, value, mode):
        return value

    def schema(self, generator):
        return {}


class NoneNode(Node):
    """Accepts None."""

    tag = "none"

    def validate(self, value, mode):
        if value is not None:
            raise invalid("none_required", "Input should be None", value)
        return None

    def schema(self, generator):
        return {"type": "null"}


class BoolNode(Node):
    """Accepts booleans, and in LAX mode 0, 1 and the usual words."""

    tag = "bool"

    def validate(self, value, mode):
        if isinstance(value, bool):
            return value
        if mode == LAX and not self.constraints.get("strict"):
            if isinstance(value, (int, float)) and value in (0, 1):
                return bool(value)
            if isinstance(value, str) and value.lower() in _TRUE | _FALSE:
                return value.lower() in _TRUE
            if isinstance(value, str) or isinstance(value, int) and abs(value) < BIGGEST:
                text = "Input should be a valid boolean, unable to interpret input"
                raise invalid("bool_parsing", text, value)
        raise invalid("bool_type", "Input should be a valid boolean", value)

    def schema(self, generator):
        return {"type": "boolean"}


class NumberNode(Node):
    """What integers and floats have in common: bounds."""

    def check(self, number, value):
        """Raise `Invalid` unless the number keeps all bounds; return it."""
        step = self.constraints.get("multiple_of")
        if step is not None and not _is_multiple(number, step):
            text = f"Input should be a multiple of {step}"
            raise invalid("multiple_of", text, value, multiple_of=step)
        for key, kind, words, holds in _BOUNDS:
            bound = self.constraints.get(key)
            if bound is not None and not holds(number, bound):
                text = f"Input should be {words} {bound}"
                raise invalid(kind, text, value, **{key: bound})
        return number


def _is_multiple(number, step):
    rest = number % step
    return math.isclose(rest, 0, abs_tol=1e-9) or math.isclose(rest, step, abs_tol=1e-9)


class IntNode(NumberNode):
    """Accepts integers, and in LAX mode whole floats and digits in text."""

    tag = "int"
    constrained = True

    def validate(self, value, mode):
        if type(value) is int:
            return self.check(value, value)
        strict = mode != LAX or self.constraints.get("strict")
        if isinstance(value, int) and not (isinstance(value, bool) and strict):
            return self.check(int(value), value)
        if not strict:
            if isinstance(value, float):
                return self.check(_int_from_float(value), value)
            if isinstance(value, str):
                return self.check(_int_from_text(value), value)
        raise invalid("int_type", "Input should be a valid integer", value)

    def schema(self, generator):
        return {"type": "integer", **self.bounded(("gt", "ge", "lt", "le", "multiple_of"))}


def _int_from_float(value):
    if not math.isfinite(value):
        raise invalid("finite_number", "Input should be a finite number", value)
    if not value.is_integer():
        text = "Input should be a valid integer, got a number with a fractional part"
        raise invalid("int_from_float", text, value)
    if abs(value) >= BIGGEST:
        text = "Unable to parse input string as an integer, exceeded maximum size"
        raise invalid("int_parsing_size", text, value)
    return int(value)


def _int_from_text(value):
    text = value.strip()
    if not _WHOLE.match(text):
        raise invalid(
            "int_parsing",
            "Input should be a valid integer, unable to parse string as an integer",
            value,
        )
    return int(text.split(".")[0])


class FloatNode(NumberNode):
    """Accepts floats and integers, and in LAX mode numbers in text."""

    tag = "float"
    constrained = True

    def validate(self, value, mode):
        if isinstance(value, float):
            return self.check(self._finite(value), value)
        strict = mode != LAX or self.constraints.get("strict")
        if isinstance(value, int) and mode != EXACT and not (isinstance(value, bool) and strict):
            return self.check(float(value), value)
        if isinstance(value, str) and not strict:
            try:
                return self.check(self._finite(float(value)), value)
            except ValueError:
                raise invalid(
                    "float_parsing",
                    "Input should be a valid number, unable to parse string as a number",
                    value,
                ) from None
        raise invalid("float_type", "Input should be a valid number", value)

    def _finite(self, value):
        if self.constraints.get("allow_inf_nan") is False and not math.isfinite(value):
            raise invalid("finite_number", "Input should be a finite number", value)
        return value

    def schema(self, generator):
        return {"type": "number", **self.bounded(("gt", "ge", "lt", "le", "multiple_of"))}


class StrNode(Node):
    """Accepts text only; numbers are never converted to text."""

    tag = "str"
    constrained = True

    def validate(self, value, mode):
        if isinstance(value, str):
            text = value if type(value) is str else str.__str__(value)
        elif mode == LAX and isinstance(value, (bytes, bytearray)):
            text = _decode(value)
        else:
            raise invalid("string_type", "Input should be a valid string", value)
        return self._check(text, value) if self.constraints else text

    def _check(self, text, value):
        rules = self.constraints
        if rules.get("strip_whitespace"):
            text = text.strip()
        if rules.get("to_lower"):
            text = text.lower()
        if rules.get("to_upper"):
            text = text.upper()
        least, most = rules.get("min_length"), rules.get("max_length")
        if least is not None and len(text) < least:
            message = f"String should have at least {characters(least)}"
            raise invalid("string_too_short", message, value, min_length=least)
        if most is not None and len(text) > most:
            message = f"String should have at most {characters(most)}"
            raise invalid("string_too_long", message, value, max_length=most)
        pattern = rules.get("pattern")
        if pattern is not None and not re.search(pattern, text):
            message = f"String should match pattern '{pattern}'"
            raise invalid("string_pattern_mismatch", message, value, pattern=pattern)
        return text

    def schema(self, generator):
        return {"type": "string", **self.bounded(("min_length", "max_length", "pattern"))}


def characters(count):
    """Return a count of characters in words."""
    return f"{count} character" if count == 1 else f"{count} characters"


def _decode(value):
    try:
        return bytes(value).decode()
    except UnicodeDecodeError:
        text = "Input should be a valid string, unable to parse raw data as a unicode string"
        raise invalid("string_unicode", text, value) from None


class BytesNode(Node):
    """Accepts bytes, and in LAX mode text, which is encoded as UTF-8."""

    tag = "bytes"

    def validate(self, value, mode):
        if isinstance(value, bytes):
            return self._check(value, value)
        if mode == LAX and isinstance(value, (str, bytearray)):
            data = value.encode() if isinstance(value, str) else bytes(value)
            return self._check(data, value)
        raise invalid("bytes_type", "Input should be a valid bytes", value)

    def _check(self, data, value):
        least, most = self.constraints.get("min_length"), self.constraints.get("max_length")
        if least is not None and len(data) < least:
            text = f"Data should have at least {least} byte{'s' if least != 1 else ''}"
            raise invalid("bytes_too_short", text, value, min_length=least)
        if most is not None and len(data) > most:
            text = f"Data should have at most {most} byte{'s' if most != 1 else ''}"
            raise invalid("bytes_too_long", text, value, max_length=most)
        return data

    def schema(self, generator):
        keywords = self.bounded(("min_length", "max_length"))
        return {"type": "string", "format": "binary", **keywords}
