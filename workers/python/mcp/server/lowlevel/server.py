"""The low-level server: what a handler returns is put into the form of the wire."""

from berth_runtime import state
from berth_runtime.model.urls import Url
from berth_runtime.serving.base import ServerBase
from berth_runtime.serving.content import wire
from berth_runtime.serving.context import RequestContext, settled
from berth_runtime.serving.errors import METHOD_NOT_FOUND, failure
from berth_runtime.serving.resources import contents_of
from mcp.server.models import InitializationOptions
from mcp.types import ServerCapabilities

from . import calls

_REGISTRARS = (
    "list_tools",
    "call_tool",
    "list_resources",
    "list_resource_templates",
    "read_resource",
    "list_prompts",
    "get_prompt",
    "completion",
    "set_logging_level",
    "subscribe_resource",
    "unsubscribe_resource",
    "progress_notification",
)


class NotificationOptions:
    """Which lists a server tells its client about when they change."""

    def __init__(self, prompts_changed=False, resources_changed=False, tools_changed=False):
        self.prompts_changed = prompts_changed
        self.resources_changed = resources_changed
        self.tools_changed = tools_changed


class Server(ServerBase):
    """A server made of handlers. Unknown constructor options have no effect."""

    served_version = "1.29.0"

    def __init__(self, name, version=None, instructions=None, **options):
        self.name = name
        self.version = version
        self.instructions = instructions
        if version:
            self.served_version = version
        self._lifespan = options.get("lifespan")
        self._handlers = {}
        self._validates_input = True
        self.request_handlers = {}
        self.notification_handlers = {}

    def __class_getitem__(cls, _arguments):
        return cls

    def is_empty(self):
        """Return whether no handler is registered."""
        return not self._handlers

    @property
    def _completion_handler(self):
        return self._handlers.get("completion")

    @property
    def request_context(self):
        """Request id, metadata, session and lifespan value of the current request."""
        request = state.current.get()
        if request is None:
            raise LookupError("request_context is only available during a request")
        return RequestContext(self, request)

    def create_initialization_options(self, notification_options=None, experimental=None):
        """Return what the server would start with; the host knows it already."""
        return InitializationOptions(
            server_name=self.name,
            server_version=self.served_version,
            capabilities=self.get_capabilities(notification_options, experimental),
            instructions=self.instructions,
        )

    def get_capabilities(self, notification_options=None, experimental_capabilities=None):
        """Return the capabilities as a model."""
        return ServerCapabilities.model_validate(self.describe()["capabilities"])

    def describe(self):
        """Return name, version, instructions and the capabilities that have handlers."""
        described = super().describe()
        wanted = {"experimental", "logging", "completions"}
        for kind in ("tools", "resources", "prompts"):
            if f"list_{kind}" in self._handlers or kind == "tools" and self._has_tools():
                wanted.add(kind)
        kept = {k: v for k, v in described["capabilities"].items() if k in wanted}
        return {**described, "capabilities": kept}

    def _has_tools(self):
        return "call_tool" in self._handlers

    def _handler(self, name):
        handler = self._handlers.get(name)
        if handler is None:
            raise failure(METHOD_NOT_FOUND, "Method not found")
        return handler

    async def _listed(self, name, field):
        result = await settled(self._handler(name)())
        items = result if isinstance(result, (list, tuple)) else getattr(result, field)
        return [wire(item) for item in items]

    async def wire_tools(self):
        """Answer tools/list."""
        return await self._listed("list_tools", "tools")

    async def wire_call(self, name, arguments):
        """Answer tools/call."""
        handler = self._handler("call_tool")
        tools = await self.wire_tools() if "list_tools" in self._handlers else []
        tool = next((item for item in tools if item["name"] == name), None)
        return await calls.call(handler, tool, name, arguments, self._validates_input)

    async def wire_resources(self):
        """Answer resources/list."""
        return await self._listed("list_resources", "resources")

    async def wire_templates(self):
        """Answer resources/templates/list."""
        return await self._listed("list_resource_templates", "resourceTemplates")

    async def wire_read(self, uri):
        """Answer resources/read."""
        result = await settled(self._handler("read_resource")(Url(uri)))
        items = [result] if isinstance(result, (str, bytes)) else list(result)
        return [_contents(uri, item) for item in items]

    async def wire_prompts(self):
        """Answer prompts/list."""
        return await self._listed("list_prompts", "prompts")

    async def wire_prompt(self, name, arguments):
        """Answer prompts/get."""
        return wire(await settled(self._handler("get_prompt")(name, arguments)))

    async def wire_complete(self, ref, argument, params):
        """Answer completion/complete."""
        made = await settled(self._handler("completion")(*calls.completion(ref, argument, params)))
        return {"completion": wire(made) if made else {"values": [], "hasMore": False}}


def _contents(uri, item):
    if isinstance(item, (str, bytes)):
        kind = "text/plain" if isinstance(item, str) else "application/octet-stream"
        return contents_of(uri, kind, item)
    default = "text/plain" if isinstance(item.content, str) else "application/octet-stream"
    return contents_of(uri, item.mime_type or default, item.content)


def _registrar(name):
    def register(self, *_args, validate_input=True, **_options):
        def decorate(function):
            self._handlers[name] = function
            if name == "call_tool":
                self._validates_input = validate_input
            return function

        return decorate

    register.__name__ = name
    register.__doc__ = f"Register the decorated function as the handler `{name}`."
    return register


for _name in _REGISTRARS:
    setattr(Server, _name, _registrar(_name))
