"""Checks a structured result against an output schema, with the texts of `jsonschema`.

Both SDKs validate what a tool returned against the schema that it announced, and tell the client
the most relevant fault.
"""

import re

_TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "null": type(None),
}


class Mismatch:
    """One fault: its text, how deep it lies, and the faults of the alternatives below it."""

    def __init__(self, text, depth=0, weak=False, below=()):
        self.text = text
        self.depth = depth
        self.weak = weak
        self.below = list(below)

    @property
    def rank(self):
        """Order of relevance: shallow first, alternatives last."""
        return (self.depth, self.weak)


def fault_of(value, schema):
    """Return the text of the most relevant fault, or None when the value conforms."""
    found = list(_faults(value, schema, schema, 0))
    if not found:
        return None
    best = min(found, key=lambda fault: fault.rank)
    while best.below:
        ordered = sorted(best.below, key=lambda fault: (-fault.depth, fault.weak))
        if len(ordered) > 1 and ordered[0].rank == ordered[1].rank:
            break
        best = ordered[0]
    return best.text


def _faults(value, schema, root, depth):
    if schema is True or schema is False:
        if schema is False:
            yield Mismatch(f"False schema does not allow {value!r}", depth)
        return
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/$defs/")
        yield from _faults(value, root.get("$defs", {}).get(name, {}), root, depth)
    for keyword, check in _CHECKS.items():
        if keyword in schema:
            yield from check(value, schema[keyword], schema, root, depth)


def _is(value, kind):
    if kind == "integer":
        whole = isinstance(value, int) or isinstance(value, float) and value.is_integer()
        return whole and not isinstance(value, bool)
    if kind == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, _TYPES.get(kind, object))


def _type(value, kinds, _schema, _root, depth):
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if not any(_is(value, kind) for kind in kinds):
        yield Mismatch(f"{value!r} is not of type {', '.join(map(repr, kinds))}", depth)


def _enum(value, values, _schema, _root, depth):
    if not any(type(item) is type(value) and item == value for item in values):
        yield Mismatch(f"{value!r} is not one of {values!r}", depth)


def _const(value, wanted, _schema, _root, depth):
    if value != wanted:
        yield Mismatch(f"{wanted!r} was expected", depth)


def _required(value, names, _schema, _root, depth):
    if isinstance(value, dict):
        for name in names:
            if name not in value:
                yield Mismatch(f"{name!r} is a required property", depth)


def _properties(value, shapes, _schema, root, depth):
    if isinstance(value, dict):
        for name, shape in shapes.items():
            if name in value:
                yield from _faults(value[name], shape, root, depth + 1)


def _additional(value, shape, schema, root, depth):
    if not isinstance(value, dict):
        return
    extra = [name for name in value if name not in schema.get("properties", {})]
    if shape is False and extra:
        names = ", ".join(map(repr, extra))
        verb = "was" if len(extra) == 1 else "were"
        text = f"Additional properties are not allowed ({names} {verb} unexpected)"
        yield Mismatch(text, depth)
    elif isinstance(shape, dict):
        for name in extra:
            yield from _faults(value[name], shape, root, depth + 1)


def _items(value, shape, schema, root, depth):
    if isinstance(value, list):
        for item in value[len(schema.get("prefixItems", ())) :]:
            yield from _faults(item, shape, root, depth + 1)


def _prefix(value, shapes, _schema, root, depth):
    if isinstance(value, list):
        for item, shape in zip(value, shapes):
            yield from _faults(item, shape, root, depth + 1)


def _any(value, shapes, _schema, root, depth):
    branches = [list(_faults(value, shape, root, 0)) for shape in shapes]
    if all(branches):
        text = f"{value!r} is not valid under any of the given schemas"
        yield Mismatch(text, depth, True, [fault for branch in branches for fault in branch])


def _all(value, shapes, _schema, root, depth):
    for shape in shapes:
        yield from _faults(value, shape, root, depth)


def _bound(words, holds):
    def check(value, bound, _schema, _root, depth):
        if _is(value, "number") and not holds(value, bound):
            yield Mismatch(f"{value!r} {words} {bound!r}", depth)

    return check


def _length(kind, words, holds):
    def check(value, bound, _schema, _root, depth):
        if isinstance(value, kind) and not holds(len(value), bound):
            text = words
            if bound in (0, 1) and words in ("is too short", "is too long"):
                text = "should be non-empty" if bound == 1 and words == "is too short" else words
            yield Mismatch(f"{value!r} {text}", depth)

    return check


def _pattern(value, pattern, _schema, _root, depth):
    if isinstance(value, str) and not re.search(pattern, value):
        yield Mismatch(f"{value!r} does not match {pattern!r}", depth)


_CHECKS = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    "required": _required,
    "properties": _properties,
    "additionalProperties": _additional,
    "prefixItems": _prefix,
    "items": _items,
    "anyOf": _any,
    "oneOf": _any,
    "allOf": _all,
    "minimum": _bound("is less than the minimum of", lambda value, bound: value >= bound),
    "maximum": _bound("is greater than the maximum of", lambda value, bound: value <= bound),
    "exclusiveMinimum": _bound(
        "is less than or equal to the minimum of", lambda value, bound: value > bound
    ),
    "exclusiveMaximum": _bound(
        "is greater than or equal to the maximum of", lambda value, bound: value < bound
    ),
    "minLength": _length(str, "is too short", lambda count, bound: count >= bound),
    "maxLength": _length(str, "is too long", lambda count, bound: count <= bound),
    "minItems": _length(list, "is too short", lambda count, bound: count >= bound),
    "maxItems": _length(list, "is too long", lambda count, bound: count <= bound),
    "pattern": _pattern,
}
