"""The operations of an OpenAPI description (3.0 and 3.1), and what each of them becomes."""

import dataclasses
import enum
import re
import typing

from .schemas import TOP_LEVEL, converted

_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


class MCPType(enum.Enum):
    """What an operation becomes."""

    TOOL = "TOOL"
    RESOURCE = "RESOURCE"
    RESOURCE_TEMPLATE = "RESOURCE_TEMPLATE"
    EXCLUDE = "EXCLUDE"


@dataclasses.dataclass(kw_only=True)
class RouteMap:
    """Which operations become what: by method, path (a regular expression) and tags."""

    methods: list | str = "*"
    pattern: typing.Any = ".*"
    tags: set = dataclasses.field(default_factory=set)
    mcp_type: MCPType
    mcp_tags: set = dataclasses.field(default_factory=set)

    def fits(self, route):
        """Return whether an operation is one of these."""
        if self.methods != "*" and route.method not in self.methods:
            return False
        if not re.search(self.pattern, route.path):
            return False
        return not self.tags or set(self.tags) <= set(route.tags)


@dataclasses.dataclass
class ParameterInfo:
    """A parameter in the path, the query or a header."""

    name: str
    location: str
    required: bool
    schema_: dict
    description: str | None


@dataclasses.dataclass
class RequestBodyInfo:
    """The body of a request, by media type."""

    required: bool
    content_schema: dict
    description: str | None


@dataclasses.dataclass
class HTTPRoute:
    """One operation."""

    path: str
    method: str
    operation_id: str | None
    summary: str | None
    description: str | None
    tags: list
    parameters: list
    request_body: RequestBodyInfo | None
    responses: dict
    extensions: dict
    definitions: dict


class _Document:
    """Looks up what a description refers to."""

    def __init__(self, description):
        self.description = description

    def resolved(self, item):
        """Return an object, looked up when it is a reference; raises ValueError."""
        seen = set()
        while isinstance(item, dict) and "$ref" in item:
            reference = item["$ref"]
            if not reference.startswith("#/"):
                raise ValueError(
                    f"External or non-local reference not supported: {reference}. "
                    "References have to start with '#/'."
                )
            if reference in seen:
                raise ValueError(f"Circular reference: {reference}")
            seen.add(reference)
            item = self.description
            for part in reference[2:].split("/"):
                item = item[part.replace("~1", "/").replace("~0", "~")]
        return item

    def contents(self, holder, named=False):
        """Return the schemas of a body or response by media type; `named` keeps what they are."""
        found = {}
        for kind, media in (holder.get("content") or {}).items():
            if media.get("schema"):
                found[kind] = converted(self.resolved(media["schema"]))
                reference = media["schema"].get("$ref")
                if named and reference is not None:
                    found[kind][TOP_LEVEL] = reference.rpartition("/")[2]
        return found


def routes_of(description):
    """Return the operations of a description; raises ValueError for one that is none."""
    if not isinstance(description, dict) or not str(description.get("openapi", "")).startswith("3"):
        raise ValueError("Invalid OpenAPI specification: expected version 3.0 or 3.1")
    document = _Document(description)
    schemas = (description.get("components") or {}).get("schemas") or {}
    definitions = {name: converted(document.resolved(schema)) for name, schema in schemas.items()}
    found = []
    for path, item in (description.get("paths") or {}).items():
        item = document.resolved(item)
        for method in _METHODS:
            if isinstance(item.get(method), dict):
                found.append(_route(document, path, method, item, definitions))
    return found


def _route(document, path, method, item, definitions):
    operation = item[method]
    given = [*(item.get("parameters") or ()), *(operation.get("parameters") or ())]
    parameters = {}
    for raw in map(document.resolved, given):
        schema = raw.get("schema") or next(
            (media.get("schema") or {} for media in (raw.get("content") or {}).values()), {}
        )
        parameters[raw["name"], raw["in"]] = ParameterInfo(
            raw["name"],
            raw["in"],
            raw["in"] == "path" or bool(raw.get("required")),
            converted(document.resolved(schema)),
            raw.get("description"),
        )
    body = None
    if operation.get("requestBody"):
        raw = document.resolved(operation["requestBody"])
        body = RequestBodyInfo(
            bool(raw.get("required")), document.contents(raw), raw.get("description")
        )
    return HTTPRoute(
        path,
        method.upper(),
        operation.get("operationId"),
        operation.get("summary"),
        operation.get("description"),
        list(operation.get("tags") or ()),
        list(parameters.values()),
        body,
        {
            str(code): document.contents(document.resolved(response), named=True)
            for code, response in (operation.get("responses") or {}).items()
        },
        {key: value for key, value in operation.items() if key.startswith("x-")},
        definitions,
    )
