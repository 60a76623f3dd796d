"""The server object's side towards the host: the methods of MCP, answered from what is registered.

Subclasses hold the registries and give the SDK's own texts and shapes.
"""

import inspect

from .. import launch, state
from .asgi import WebApp
from .content import wire
from .errors import INVALID_PARAMS, failure
from .resources import asked_uri

_RUNNERS = (
    "run_async",
    "run_stdio_async",
    "run_sse_async",
    "run_http_async",
    "run_streamable_http_async",
)


class Named:
    """Name, version and the like of a class whose `_mcp_server` has them."""

    @property
    def name(self):
        """The server's name."""
        return self._mcp_server.name

    @property
    def instructions(self):
        """What clients are told about the use of the server."""
        return self._mcp_server.instructions

    @property
    def website_url(self):
        """Where people read about the server."""
        return self._mcp_server.website_url

    @property
    def icons(self):
        """Pictures of the server."""
        return self._mcp_server.icons


class ServerBase:
    """Base of all server classes."""

    capability_changes = False
    _mcp_server = None
    _lifespan = None
    _lifespan_value = None
    _lifespan_manager = None

    def __new__(cls, *_arguments, **_options):
        made = super().__new__(cls)
        state.session.created.append(made)
        return made

    def run(self, *_args, **_options):
        """Serve. The transport and its options are the host's business."""
        launch.serve(self)

    async def run_async(self, *_args, **_options):
        """Serve."""
        await launch.serve_async(self)

    def streamable_http_app(self, *_args, **_options):
        """Return what stands for the web application of this server."""
        return WebApp(self)

    async def enter_lifespan(self):
        """Run the part of `lifespan` before its `yield`; its value is `lifespan_context`."""
        if self._lifespan is None or self._lifespan_manager is not None:
            return
        manager = self._lifespan(self)
        if hasattr(manager, "__aenter__"):
            self._lifespan_value = await manager.__aenter__()
        elif inspect.isasyncgen(manager):
            self._lifespan_value = await anext(manager)
        elif hasattr(manager, "__enter__"):
            self._lifespan_value = manager.__enter__()
        self._lifespan_manager = manager

    async def greet(self, client):
        """Called when the client has said who it is; `client` has the form of MCP's parameters."""

    def describe(self):
        """Return name, version, instructions and capabilities for `initialize`."""
        changes = self.capability_changes
        below = self._mcp_server or self
        watched = below.answers("resources/subscribe")
        capabilities = {
            "experimental": {},
            "logging": {},
            "prompts": {"listChanged": changes},
            "resources": {"subscribe": watched, "listChanged": changes},
            "tools": {"listChanged": changes},
        }
        if below.answers("completion/complete"):
            capabilities["completions"] = {}
        described = {
            "name": str(below.name),
            "version": str(below.served_version),
            "instructions": below.instructions,
            "capabilities": capabilities,
        }
        for key in ("title", "description", "website_url", "icons"):
            value = getattr(below, key)
            if value is not None:
                described[key] = [wire(item) for item in value] if key == "icons" else str(value)
        return described

    async def handle(self, method, params):
        """Answer a request with its result; raises McpError."""
        if self._mcp_server.answers(method) or method not in _METHODS:
            return await self._mcp_server.handle(method, params)
        return await _METHODS[method](self, params)


for _name in _RUNNERS[1:]:
    setattr(ServerBase, _name, ServerBase.run_async)
for _name in ("sse_app", "http_app"):
    setattr(ServerBase, _name, ServerBase.streamable_http_app)


def text_of(params, key):
    """Return a parameter that must be text; raises McpError."""
    value = params.get(key)
    if not isinstance(value, str):
        raise failure(INVALID_PARAMS, f"Invalid params: {key} must be a string")
    return value


def object_of(params, key):
    """Return a parameter that must be an object or absent; raises McpError."""
    value = params.get(key)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise failure(INVALID_PARAMS, f"Invalid params: {key} must be an object")
    return value


async def _list_tools(server, _params):
    return {"tools": await server.wire_tools()}


async def _call_tool(server, params):
    return await server.wire_call(text_of(params, "name"), object_of(params, "arguments"))


async def _list_resources(server, _params):
    return {"resources": await server.wire_resources()}


async def _list_templates(server, _params):
    return {"resourceTemplates": await server.wire_templates()}


async def _read_resource(server, params):
    return {"contents": await server.wire_read(asked_uri(params))}


async def _list_prompts(server, _params):
    return {"prompts": await server.wire_prompts()}


async def _get_prompt(server, params):
    return await server.wire_prompt(text_of(params, "name"), object_of(params, "arguments"))


_METHODS = {
    "tools/list": _list_tools,
    "tools/call": _call_tool,
    "resources/list": _list_resources,
    "resources/templates/list": _list_templates,
    "resources/read": _read_resource,
    "prompts/list": _list_prompts,
    "prompts/get": _get_prompt,
}
