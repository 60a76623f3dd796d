"""Servers made of OpenAPI descriptions: an operation is a tool, a resource or a template."""

from .components import OpenAPIResource, OpenAPIResourceTemplate, OpenAPITool
from .routes import HTTPRoute, MCPType, RouteMap
from .server import DEFAULT_ROUTE_MAPPINGS, FastMCPOpenAPI

__all__ = [
    "DEFAULT_ROUTE_MAPPINGS",
    "FastMCPOpenAPI",
    "HTTPRoute",
    "MCPType",
    "OpenAPIResource",
    "OpenAPIResourceTemplate",
    "OpenAPITool",
    "RouteMap",
]
