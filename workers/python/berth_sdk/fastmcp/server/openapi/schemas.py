"""The schemas of an OpenAPI description as JSON Schema: arguments of tools, and their results."""

import re

from ...tools.schemas import with_used_definitions

TOP_LEVEL = "x-fastmcp-top-level-schema"
_PLACE = "#/components/schemas/"
_SUCCESS = ("200", "201", "202", "204")
_JSON = (
    "application/json",
    "application/vnd.api+json",
    "application/hal+json",
    "application/ld+json",
    "text/json",
)
_OPENAPI_ONLY = ("discriminator", "readOnly", "writeOnly", "xml", "externalDocs", "deprecated")


def converted(schema):
    """Return a schema whose references are those of JSON Schema."""
    if isinstance(schema, list):
        return [converted(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: converted(value) for key, value in schema.items()}
    if str(made.get("$ref", "")).startswith(_PLACE):
        made["$ref"] = "#/$defs/" + made["$ref"].removeprefix(_PLACE)
    return made


def arguments_of(route):
    """Return the schema of an operation's arguments, and where each goes: (place, name)."""
    body, inner = _body_of(route)
    properties, required, places = {}, [], {}
    for parameter in route.parameters:
        twice = parameter.name in inner
        name = f"{parameter.name}__{parameter.location}" if twice else parameter.name
        schema = dict(parameter.schema_)
        words = schema.get("description") or parameter.description
        if twice:
            place = f"({parameter.location.capitalize()} parameter)"
            words = f"{words} {place}" if words else place
        if words:
            schema["description"] = words
        properties[name], places[name] = schema, (parameter.location, parameter.name)
        if parameter.required:
            required.append(name)
    if body is not None:
        needed = body.get("required", []) if inner else None
        if not inner:
            name = re.sub(r"\W", "_", str(body.get("title", "body")).lower(), flags=re.ASCII)
            name = "body_data" if not name or name[0].isdigit() else name
            inner, needed = {name: body}, [name]
        for name, schema in inner.items():
            properties[name], places[name] = schema, ("body", name)
        if route.request_body.required:
            required.extend(needed)
    schema = {"type": "object", "properties": properties, "required": required}
    return with_used_definitions(schema, route.definitions), places


def _body_of(route):
    """Return the schema of the body, or None, and its named members."""
    if route.request_body is None or not route.request_body.content_schema:
        return None, {}
    body = dict(next(iter(route.request_body.content_schema.values())))
    if route.request_body.description and not body.get("description"):
        body["description"] = route.request_body.description
    if isinstance(body.get("allOf"), list):
        parts = [_followed(part, route.definitions) for part in body.pop("allOf")]
        body["properties"] = {k: v for part in parts for k, v in part.get("properties", {}).items()}
        needed = [name for part in parts for name in part.get("required", ())]
        body["required"] = list(dict.fromkeys(needed))
    return body, body.get("properties", {})


def _followed(schema, definitions):
    return definitions.get(str(schema.get("$ref", "")).removeprefix("#/$defs/"), schema)


def output_of(route):
    """Return the schema of what a successful operation returns, wrapped if no object, or None."""
    code = next((code for code in _SUCCESS if code in route.responses), None)
    code = code or next((code for code in route.responses if code.startswith("2")), None)
    contents = route.responses.get(code)
    if not contents:
        return None
    kind = next((kind for kind in _JSON if kind in contents), next(iter(contents)))
    schema = plain(contents[kind])
    if schema.get("type") != "object":
        schema = {
            "type": "object",
            "properties": {"result": schema},
            "required": ["result"],
            "x-fastmcp-wrap-result": True,
        }
    definitions = {name: plain(item) for name, item in route.definitions.items()}
    return with_used_definitions(schema, definitions, schema.get(TOP_LEVEL))


def plain(schema):
    """Return a schema without what only OpenAPI has; `nullable` is a choice with null."""
    if isinstance(schema, list):
        return [plain(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: plain(value) for key, value in schema.items() if key not in _OPENAPI_ONLY}
    if made.pop("nullable", False) is True:
        if isinstance(made.get("type"), str):
            made["type"] = [made["type"], "null"]
            if None not in made.get("enum", [None]):
                made["enum"] = [*made["enum"], None]
        elif "anyOf" in made or "oneOf" in made:
            key = "anyOf" if "anyOf" in made else "oneOf"
            made[key] = [*made[key], {"type": "null"}]
    return made
