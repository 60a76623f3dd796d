"""What the schema of a form may hold: one level of primitive values and choices."""

_ALLOWED = ("string", "number", "integer", "boolean")
_LISTED = "{'string', 'number', 'integer', 'boolean'}"


def check(schema):
    """Refuse a schema that no client could show as a form; raises TypeError."""
    if schema.get("type") != "object":
        raise TypeError(
            f"Elicitation schema must be an object schema, got type '{schema.get('type')}'. "
            "Elicitation schemas are limited to flat objects with primitive properties only."
        )
    for name, shape in schema.get("properties", {}).items():
        fault = _fault(shape, schema)
        if fault:
            raise TypeError(f"Elicitation schema field '{name}' {fault}")


def _fault(shape, schema):
    kind = shape.get("type")
    if isinstance(kind, list):
        rest = [item for item in kind if item != "null"]
        kind = rest[0] if len(rest) == 1 else rest
    if "const" in shape or "enum" in shape or kind is None and shape.get("nullable"):
        return None
    if "$ref" in shape:
        return _reference_fault(shape["$ref"], schema)
    if "oneOf" in shape or "anyOf" in shape:
        return _union_fault([*shape.get("oneOf", []), *shape.get("anyOf", [])])
    if kind == "array":
        return _array_fault(shape.get("items", {}))
    if kind == "object":
        return (
            "is an object, but nested objects are not allowed. "
            "Elicitation schemas must be flat objects with primitive properties only."
        )
    if kind not in _ALLOWED:
        return (
            f"has type '{kind}' which is not a primitive type. "
            f"Only {_LISTED} are allowed in elicitation schemas."
        )
    return None


def _reference_fault(reference, schema):
    target = schema.get("$defs", {}).get(reference.removeprefix("#/$defs/"), {})
    if "enum" in target or target.get("type") in _ALLOWED:
        return None
    return (
        f"contains a reference '{reference}' that could not be validated. "
        "Only references to enum types or primitive types are allowed."
    )


def _union_fault(shapes):
    for shape in shapes:
        if "const" in shape or "enum" in shape or shape.get("type") in _ALLOWED:
            continue
        return (
            f"has union type '{shape.get('type')}' which is not a primitive type. "
            f"Only {_LISTED} are allowed in elicitation schemas."
        )
    return None


def _array_fault(items):
    if items.get("type") == "object":
        return (
            "is an array of objects, but arrays of objects are not allowed. "
            "Elicitation schemas must be flat objects with primitive properties only."
        )
    choices = [*items.get("oneOf", []), *items.get("anyOf", [])]
    if "enum" in items or choices and all("const" in choice for choice in choices):
        return None
    return (
        "is an array, but arrays are only allowed when items are enums (for multi-select). "
        "Only enum arrays are supported in elicitation schemas."
    )
