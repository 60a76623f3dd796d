"""The keywords of JSON Schema: each is a function that yields the faults of a value."""

import math
import re

from .schema_faults import Mismatch, equal, is_type


def _type(_checker, value, kinds, schema, path):
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if not any(is_type(value, kind) for kind in kinds):
        yield Mismatch(
            f"{value!r} is not of type {', '.join(map(repr, kinds))}", path, value, schema
        )


def _enum(_checker, value, values, schema, path):
    if not any(equal(value, item) for item in values):
        yield Mismatch(f"{value!r} is not one of {values!r}", path, value, schema)


def _const(_checker, value, wanted, schema, path):
    if not equal(value, wanted):
        yield Mismatch(f"{wanted!r} was expected", path, value, schema)


def _required(_checker, value, names, schema, path):
    if isinstance(value, dict):
        for name in names:
            if name not in value:
                yield Mismatch(f"{name!r} is a required property", path, value, schema)


def _dependent_required(_checker, value, table, schema, path):
    if isinstance(value, dict):
        for name, others in table.items():
            for other in others if name in value else ():
                if other not in value:
                    yield Mismatch(f"{other!r} is a dependency of {name!r}", path, value, schema)


def _dependent_schemas(checker, value, table, _schema, path):
    if isinstance(value, dict):
        for name, shape in table.items():
            if name in value:
                yield from checker.faults(value, shape, path)


def _properties(checker, value, shapes, _schema, path):
    if isinstance(value, dict):
        for name, shape in shapes.items():
            if name in value:
                yield from checker.faults(value[name], shape, (*path, name))


def _pattern_properties(checker, value, shapes, _schema, path):
    if isinstance(value, dict):
        for pattern, shape in shapes.items():
            for name in value:
                if re.search(pattern, name):
                    yield from checker.faults(value[name], shape, (*path, name))


def _additional(checker, value, shape, schema, path):
    if not isinstance(value, dict):
        return
    patterns = schema.get("patternProperties", {})
    extra = [
        name
        for name in value
        if name not in schema.get("properties", {})
        and not any(re.search(pattern, name) for pattern in patterns)
    ]
    if shape is False and extra:
        names = ", ".join(map(repr, sorted(extra)))
        if patterns:
            verb = "does" if len(extra) == 1 else "do"
            regexes = ", ".join(map(repr, patterns))
            text = f"{names} {verb} not match any of the regexes: {regexes}"
        else:
            verb = "was" if len(extra) == 1 else "were"
            text = f"Additional properties are not allowed ({names} {verb} unexpected)"
        yield Mismatch(text, path, value, schema)
    elif isinstance(shape, dict):
        for name in extra:
            yield from checker.faults(value[name], shape, (*path, name))


def _property_names(checker, value, shape, _schema, path):
    if isinstance(value, dict):
        for name in value:
            yield from checker.faults(name, shape, path)


def _items(checker, value, shape, schema, path):
    if not isinstance(value, list):
        return
    first = len(schema.get("prefixItems", ()))
    extra = len(value) - first
    if shape is False and extra > 0:
        rest = value[first:] if extra > 1 else value[first]
        noun = "item" if first == 1 else "items"
        text = f"Expected at most {first} {noun} but found {extra} extra: {rest!r}"
        yield Mismatch(text, path, value, schema)
        return
    for index in range(first, len(value)):
        yield from checker.faults(value[index], shape, (*path, index))


def _prefix(checker, value, shapes, _schema, path):
    if isinstance(value, list):
        for index, (item, shape) in enumerate(zip(value, shapes)):
            yield from checker.faults(item, shape, (*path, index))


def _contains(checker, value, shape, schema, path):
    if not isinstance(value, list):
        return
    found = sum(checker.accepts(item, shape) for item in value)
    least, most = schema.get("minContains", 1), schema.get("maxContains")
    if most is not None and found > most:
        text = f"Too many items match the given schema (expected at most {most})"
        yield Mismatch(text, path, value, schema)
    elif found < least and found == 0:
        text = f"{value!r} does not contain items matching the given schema"
        yield Mismatch(text, path, value, schema)
    elif found < least:
        counts = f"expected at least {least} but only {found} matched"
        text = f"Too few items match the given schema ({counts})"
        yield Mismatch(text, path, value, schema)


def _unique(_checker, value, wanted, schema, path):
    if wanted and isinstance(value, list):
        if any(equal(one, other) for at, one in enumerate(value) for other in value[:at]):
            yield Mismatch(f"{value!r} has non-unique elements", path, value, schema)


def _any(checker, value, shapes, schema, path):
    branches = [list(checker.faults(value, shape)) for shape in shapes]
    if all(branches):
        text = f"{value!r} is not valid under any of the given schemas"
        below = [fault for branch in branches for fault in branch]
        yield Mismatch(text, path, value, schema, True, below)


def _one(checker, value, shapes, schema, path):
    yield from _any(checker, value, shapes, schema, path)
    valid = [shape for shape in shapes if checker.accepts(value, shape)]
    if len(valid) > 1:
        named = ", ".join(map(repr, [*valid[1:], valid[0]]))
        yield Mismatch(f"{value!r} is valid under each of {named}", path, value, schema, True)


def _all(checker, value, shapes, _schema, path):
    for shape in shapes:
        yield from checker.faults(value, shape, path)


def _not(checker, value, shape, schema, path):
    if checker.accepts(value, shape):
        yield Mismatch(f"{value!r} should not be valid under {shape!r}", path, value, schema)


def _if(checker, value, condition, schema, path):
    branch = "then" if checker.accepts(value, condition) else "else"
    if branch in schema:
        yield from checker.faults(value, schema[branch], path)


def _bound(words, holds):
    def check(_checker, value, bound, schema, path):
        if is_type(value, "number") and not holds(value, bound):
            yield Mismatch(f"{value!r} {words} {bound!r}", path, value, schema)

    return check


def _is_multiple(value, step):
    if isinstance(step, float):
        quotient = value / step
        return math.isfinite(quotient) and quotient == int(quotient)
    return not value % step


def _size(kind, holds, words, at, instead):
    """Return the check of a size; `instead` is said where the bound is `at`."""

    def check(_checker, value, bound, schema, path):
        if isinstance(value, kind) and not holds(len(value), bound):
            text = f"{value!r} {instead if bound == at else words}"
            yield Mismatch(text, path, value, schema)

    return check


def _least(count, bound):
    return count >= bound


def _most(count, bound):
    return count <= bound


def _pattern(_checker, value, pattern, schema, path):
    if isinstance(value, str) and not re.search(pattern, value):
        yield Mismatch(f"{value!r} does not match {pattern!r}", path, value, schema)


_FULL, _EMPTY = (1, "should be non-empty"), (0, "is expected to be empty")
KEYWORDS = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    "required": _required,
    "dependentRequired": _dependent_required,
    "dependentSchemas": _dependent_schemas,
    "properties": _properties,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional,
    "propertyNames": _property_names,
    "prefixItems": _prefix,
    "items": _items,
    "contains": _contains,
    "uniqueItems": _unique,
    "anyOf": _any,
    "oneOf": _one,
    "allOf": _all,
    "not": _not,
    "if": _if,
    "minimum": _bound("is less than the minimum of", lambda value, bound: value >= bound),
    "maximum": _bound("is greater than the maximum of", lambda value, bound: value <= bound),
    "exclusiveMinimum": _bound(
        "is less than or equal to the minimum of", lambda value, bound: value > bound
    ),
    "exclusiveMaximum": _bound(
        "is greater than or equal to the maximum of", lambda value, bound: value < bound
    ),
    "multipleOf": _bound("is not a multiple of", _is_multiple),
    "minLength": _size(str, _least, "is too short", *_FULL),
    "maxLength": _size(str, _most, "is too long", *_EMPTY),
    "minItems": _size(list, _least, "is too short", *_FULL),
    "maxItems": _size(list, _most, "is too long", *_EMPTY),
    "minProperties": _size(dict, _least, "does not have enough properties", *_FULL),
    "maxProperties": _size(dict, _most, "has too many properties", *_EMPTY),
    "pattern": _pattern,
}
