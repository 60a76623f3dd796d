"""Types for schemas: a dataclass for an object with named fields, Python's own for the rest."""

import dataclasses
import datetime
import re
import typing

_SIMPLE = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "null": type(None),
    "object": dict[str, typing.Any],
    "array": list[typing.Any],
}
_FORMATS = {"date-time": datetime.datetime, "date": datetime.date, "time": datetime.time}


def json_schema_to_type(schema, name=None, _definitions=None):
    """Return a type whose values are those that a schema describes."""
    definitions = schema.get("$defs", {}) if _definitions is None else _definitions
    if "$ref" in schema:
        key = schema["$ref"].rpartition("/")[2]
        return json_schema_to_type(definitions.get(key, {}), key, definitions)
    if "enum" in schema or "const" in schema:
        return typing.Literal[tuple(schema.get("enum", [schema.get("const")]))]
    choices = schema.get("anyOf") or schema.get("oneOf")
    if choices:
        return typing.Union[tuple(json_schema_to_type(i, None, definitions) for i in choices)]
    kind = schema.get("type")
    if isinstance(kind, list):
        kinds = (json_schema_to_type({**schema, "type": i}, None, definitions) for i in kind)
        return typing.Union[tuple(kinds)]
    if kind == "string":
        return _FORMATS.get(schema.get("format"), str)
    if kind == "array" and isinstance(schema.get("items"), dict):
        item = json_schema_to_type(schema["items"], None, definitions)
        return set[item] if schema.get("uniqueItems") else list[item]
    if kind == "object" and schema.get("properties"):
        return _record(schema, name or schema.get("title") or "Root", definitions)
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return dict[str, json_schema_to_type(schema["additionalProperties"], None, definitions)]
    return _SIMPLE.get(kind, typing.Any)


def _record(schema, name, definitions):
    required, last = [], []
    for key, inner in schema["properties"].items():
        kind = json_schema_to_type(inner, key.title(), definitions)
        field = re.sub(r"\W|^(?=\d)", "_", key)
        if "default" in inner:
            made = inner["default"]
            default = dataclasses.field(default_factory=lambda made=made: made)
            last.append((field, kind, default))
        elif key in schema.get("required", ()):
            required.append((field, kind))
        else:
            last.append((field, kind | None, dataclasses.field(default=None)))
    return dataclasses.make_dataclass(re.sub(r"\W", "", name) or "Root", [*required, *last])
