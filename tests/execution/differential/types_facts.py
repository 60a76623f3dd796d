"""What `mcp.types` exports, as facts without words. The same on both sides of `types_test.ts`.

    python types_facts.py > types.json

runs with a CPython that has `mcp` 1.29.0 installed. Of a model it keeps the fields: whether they are
required, what they are called on the wire, which JSON they take; of a constant its value; of a union
of messages their names.
"""

import json
import typing

from mcp import types

WORDS = ("title", "description", "deprecated", "default")


# Of the SDK, and of Berth.
OWN = ("mcp.", "berth_sdk.mcp.")

def shape(schema):
    """Return the schema of a field without words; what it refers to by its name."""
    if isinstance(schema, list):
        return [shape(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return schema["$ref"].removeprefix("#/$defs/")
    return {key: shape(value) for key, value in sorted(schema.items()) if key not in WORDS}


def model(kind):
    """Return the fields of a model: required or not, name on the wire, schema."""
    schema = kind.model_json_schema()
    schema = schema.get("$defs", {}).get(kind.__name__, schema)
    return {
        name: [field.is_required(), field.alias, shape(schema["properties"][field.alias or name])]
        for name, field in sorted(kind.model_fields.items())
    }


def facts(name, value):
    """Return what is kept of an exported name, or None where it is another library's."""
    if name.startswith("_") or "[" in name:
        return None
    if isinstance(value, (str, int)):
        return value
    if isinstance(value, typing.TypeVar):
        return "variable"
    if isinstance(value, type) and value.__module__.startswith(OWN):
        return "message" if list(value.model_fields) == ["root"] else model(value)
    members = typing.get_args(value)
    if members and all(getattr(member, "__module__", "").startswith(OWN) for member in members):
        return [member.__name__ for member in members]
    return "type" if members or value is str else None


def table():
    """Return the facts as JSON text, one name a line."""
    kept = {name: facts(name, value) for name, value in sorted(vars(types).items())}
    rows = [f"{json.dumps(k)}: {json.dumps(v)}" for k, v in kept.items() if v is not None]
    return "{\n" + ",\n".join(rows) + "\n}"


if __name__ == "__main__":
    print(table())
