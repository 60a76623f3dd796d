"""The server that is made of an OpenAPI description."""

import collections
import logging
import re

from berth_sdk.versions import current

from ..server import FastMCP
from .components import OpenAPIResource, OpenAPIResourceTemplate, OpenAPITool
from .routes import MCPType, RouteMap, routes_of

_LONGEST_NAME = 56
_log = logging.getLogger("FastMCP.openapi")
DEFAULT_ROUTE_MAPPINGS = [RouteMap(mcp_type=MCPType.TOOL)]


class FastMCPOpenAPI(FastMCP):
    """A server whose tools and resources are the operations of an API."""

    def __init__(
        self,
        openapi_spec,
        client,
        name=None,
        route_maps=None,
        route_map_fn=None,
        mcp_component_fn=None,
        mcp_names=None,
        tags=None,
        timeout=None,
        **settings,
    ):
        super().__init__(name or "OpenAPI FastMCP", **settings)
        self._client, self._timeout = client, timeout
        used = collections.Counter()
        for route in routes_of(openapi_spec):
            maps = [*(route_maps or ()), *DEFAULT_ROUTE_MAPPINGS]
            chosen = next(item for item in maps if item.fits(route))
            kind = chosen.mcp_type
            if route_map_fn is not None:
                kind = _told(route_map_fn, route, kind) or kind
            if kind is MCPType.EXCLUDE:
                continue
            called = _name(route, mcp_names or {})
            used[kind, called] += 1
            if used[kind, called] > 1:
                called = f"{called}_{used[kind, called]}"
            made = self._made(kind, route, called, {*route.tags, *chosen.mcp_tags, *(tags or ())})
            if mcp_component_fn is not None:
                _told(mcp_component_fn, route, made)
            _ADD[kind](self, made)

    def _made(self, kind, route, name, tags):
        options = {"tags": tags, "timeout": self._timeout}
        if kind is MCPType.TOOL:
            words = _words(route, f"Executes {route.method} {route.path}")
            return OpenAPITool(self._client, route, name, words, **options)
        if kind is MCPType.RESOURCE:
            words = _words(route, f"Represents {route.path}")
            uri = f"resource://{name}"
            return OpenAPIResource(self._client, route, uri, name, words, **options)
        names = sorted(item.name for item in route.parameters if item.location == "path")
        uri = "/".join([f"resource://{name}", *(f"{{{item}}}" for item in names)])
        words = _words(route, f"Template for {route.path}")
        return OpenAPIResourceTemplate(self._client, route, uri, name, words, **options)


_ADD = {
    MCPType.TOOL: FastMCP.add_tool,
    MCPType.RESOURCE: FastMCP.add_resource,
    MCPType.RESOURCE_TEMPLATE: FastMCP.add_template,
}


def _told(function, *values):
    """Call a function of the server's author; its failure is logged, as FastMCP has it."""
    try:
        return function(*values)
    except Exception as error:
        _log.warning("Error in %s: %s", getattr(function, "__name__", function), error)
        return None


def _name(route, names):
    """Return the name of what an operation becomes."""
    if route.operation_id:
        name = names.get(route.operation_id) or route.operation_id.split("__")[0]
    else:
        name = route.summary or f"{route.method}_{route.path}"
    name = re.sub(r"[^a-zA-Z0-9_]", "", re.sub(r"[\s\-.]+", "_", name))
    return re.sub("_+", "_", name).strip("_")[:_LONGEST_NAME]


def _words(route, otherwise):
    """Return the description: the operation's own, with what it says of the path."""
    parts = [route.description or route.summary or otherwise]
    told = [item for item in route.parameters if item.location == "path" and item.description]
    if told and current("fastmcp").tells_path:
        parts.append("\n\n**Path Parameters:**")
        parts.extend(f"\n- **{item.name}**: {item.description}" for item in told)
    return "\n".join(parts)
