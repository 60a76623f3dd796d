"""Schemas of arguments put together from two."""


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
