"""Faults of values, and the types of JSON Schema."""

_TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "null": type(None),
}


class Mismatch:
    """One fault: its text, where it lies, and the faults of the alternatives below it."""

    __slots__ = ("text", "path", "value", "schema", "weak", "below")

    def __init__(self, text, path, value, schema, weak=False, below=()):
        self.text = text
        self.path = path
        self.value = value
        self.schema = schema
        self.weak = weak
        self.below = list(below)


def is_type(value, kind):
    """Return whether a value is of a type of JSON Schema."""
    if kind == "integer":
        whole = isinstance(value, int) or isinstance(value, float) and value.is_integer()
        return whole and not isinstance(value, bool)
    if kind == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, _TYPES.get(kind, ()))


def equal(one, other):
    """Return whether two values are the same in JSON, where true is not 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(equal, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(equal(one[key], other[key]) for key in one)
    return one == other
