"""Schemas put together from two, and schemas whose definitions are put where they are used."""

_NODES_MOST = 100_000
_DEPTH_MOST = 128


_ANNOTATIONS = {"title", "description", "deprecated", "readOnly", "writeOnly"}


def without_bare_titles(schema):
    """Return a schema whose properties have no title where they have nothing that is checked."""
    properties = {
        name: {key: value for key, value in item.items() if key != "title"}
        if item.keys() <= _ANNOTATIONS
        else item
        for name, item in schema.get("properties", {}).items()
    }
    return {**schema, "properties": properties}


class _Unending(Exception):
    """A schema that refers to itself, or that would become too large."""


def dereferenced(schema):
    """Return a schema with its definitions in place, or as it is where that does not end."""
    definitions = schema.get("$defs")
    if not definitions:
        return schema
    budget = [_NODES_MOST]
    try:
        shown = _in_place(schema, definitions, budget, _DEPTH_MOST)
    except _Unending:
        return schema
    shown.pop("$defs", None)
    return shown


def _in_place(item, definitions, budget, depth):
    budget[0] -= 1
    if budget[0] < 0 or depth < 0:
        raise _Unending
    if isinstance(item, list):
        return [_in_place(part, definitions, budget, depth - 1) for part in item]
    if not isinstance(item, dict):
        return item
    name = str(item.get("$ref", "")).removeprefix("#/$defs/")
    if name in definitions:
        besides = {key: value for key, value in item.items() if key != "$ref"}
        item = {**definitions[name], **besides}
        return _in_place(item, definitions, budget, depth - 1)
    shown = {}
    for key, value in item.items():
        if key == "properties" and isinstance(value, dict):
            # Names of the server's own choice.
            shown[key] = {
                name: _in_place(part, definitions, budget, depth - 2)
                for name, part in value.items()
            }
        elif key not in ("$defs", "discriminator"):
            shown[key] = _in_place(value, definitions, budget, depth - 1)
    return shown


def with_used_definitions(schema, definitions, besides=None):
    """Return a schema with those of the definitions that it refers to, and one more by name."""
    used, waiting = set(), [schema, {"$ref": besides}]
    while waiting:
        item = waiting.pop()
        if isinstance(item, list):
            waiting.extend(item)
        elif isinstance(item, dict):
            waiting.extend(item.values())
            name = str(item.get("$ref", "")).removeprefix("#/$defs/")
            if name in definitions and name not in used:
                used.add(name)
                waiting.append(definitions[name])
    kept = {name: item for name, item in definitions.items() if name in used}
    return {**schema, "$defs": kept} if kept else schema


def merged(base, over):
    """Return two schemas of arguments as one; what the second says of an argument wins."""
    properties = {key: dict(value) for key, value in base.get("properties", {}).items()}
    for key, value in over.get("properties", {}).items():
        properties[key] = {**properties.get(key, {}), **value}
    required = set(over.get("required", ())) | set(base.get("required", ()))
    required = [key for key in properties if key in required and "default" not in properties[key]]
    schema = {"type": "object", "properties": properties, "required": required}
    return with_used_definitions(schema, {**base.get("$defs", {}), **over.get("$defs", {})})
