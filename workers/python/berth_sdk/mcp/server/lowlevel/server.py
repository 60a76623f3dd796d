"""The low-level server: handlers for the methods of MCP, registered by decorators or by name."""

import typing

from berth_runtime import launch, state
from berth_runtime.serving.base import ServerBase
from berth_runtime.serving.context import RequestContext
from berth_runtime.serving.errors import METHOD_NOT_FOUND, McpError, failure
from berth_runtime.tracebacks import reason_of
from berth_sdk.mcp.server.models import InitializationOptions
from berth_sdk.mcp.types import ServerCapabilities
from berth_sdk.versions import current

from . import answers, modern


class _RequestContexts:
    """Stands for the SDK's context variable of the request that is being answered."""

    def get(self, *default):
        """Return its context, else the default; raises LookupError without one."""
        request = state.current.get()
        if request is not None:
            return RequestContext(request.server or state.session.server, request)
        if default:
            return default[0]
        raise LookupError("request_ctx is only available during a request")


request_ctx = _RequestContexts()
LifespanResultT = typing.TypeVar("LifespanResultT")
RequestT = typing.TypeVar("RequestT")
_REGISTRARS = {
    "list_tools": "tools/list",
    "call_tool": "tools/call",
    "list_resources": "resources/list",
    "list_resource_templates": "resources/templates/list",
    "read_resource": "resources/read",
    "subscribe_resource": "resources/subscribe",
    "unsubscribe_resource": "resources/unsubscribe",
    "list_prompts": "prompts/list",
    "get_prompt": "prompts/get",
    "completion": "completion/complete",
    "set_logging_level": "logging/setLevel",
    "progress_notification": "notifications/progress",
}
"""Decorators and the methods whose handlers they register."""


class NotificationOptions:
    """Which lists a server tells its client about when they change."""

    def __init__(self, prompts_changed=False, resources_changed=False, tools_changed=False):
        self.prompts_changed = prompts_changed
        self.resources_changed = resources_changed
        self.tools_changed = tools_changed


class Server(ServerBase):
    """A server made of handlers. Unknown constructor options have no effect.

    A server class above has one of these as `_mcp_server`; `owner` is that class's object. Handlers
    that are registered here come before what the owner would answer.
    """

    owner = None

    def __init__(self, name, version=None, instructions=None, *_, **options):
        self.name = name
        self.version = version
        self.instructions = instructions
        for key in ("title", "description", "website_url", "icons"):
            setattr(self, key, options.pop(key, None))
        self._lifespan = options.get("lifespan")
        self.handlers = {}
        self.validates_input = True
        self.tool_cache = {}
        self.request_handlers = {}
        self.notification_handlers = {}
        modern.register(self, options)

    def __class_getitem__(cls, _arguments):
        return cls

    @property
    def served_version(self):
        """The version that clients see: the SDK's when the server has none of its own."""
        return self.version or current("mcp").version

    @property
    def lifespan(self):
        """The function that was given as `lifespan`, or None."""
        return self._lifespan

    def add_request_handler(self, method, params_type, handler):
        """Have a handler `f(context, params)` answer requests of a method."""
        modern.add(self.request_handlers, self, method, params_type, handler)

    def add_notification_handler(self, method, params_type, handler):
        """Have a handler `f(context, params)` take notifications of a method."""
        modern.add(self.notification_handlers, self, method, params_type, handler)

    def is_empty(self):
        """Return whether no handler is registered."""
        return not self.handlers and not self.request_handlers

    @property
    def request_context(self):
        """Request id, metadata, session and lifespan value of the current request."""
        request = state.current.get()
        if request is None:
            raise LookupError("request_context is only available during a request")
        return RequestContext(self.owner or self, request)

    @property
    def experimental(self):
        """Where the SDK tries things out, such as tasks, which Berth does not have."""
        from .experimental import ExperimentalHandlers

        return ExperimentalHandlers(server=self)

    def create_initialization_options(self, notification_options=None, experimental=None, **_):
        """Return what the server would start with; the host knows it already."""
        return InitializationOptions(
            server_name=self.name,
            server_version=self.served_version,
            capabilities=self.get_capabilities(notification_options, experimental),
            instructions=self.instructions,
        )

    def get_capabilities(self, notification_options=None, experimental_capabilities=None):
        """Return the capabilities as a model."""
        described = (self.owner or self).describe()["capabilities"]
        for kind in ("prompts", "resources", "tools"):
            if kind in described and notification_options is not None:
                changes = getattr(notification_options, f"{kind}_changed")
                described[kind] = {**described[kind], "listChanged": changes}
        described["experimental"] = experimental_capabilities or {}
        return ServerCapabilities.model_validate(described)

    def describe(self):
        """Return name, version, instructions and the capabilities that have handlers."""
        described = super().describe()
        wanted = {"experimental", "logging"}
        for kind in ("tools", "resources", "prompts"):
            if self.answers(f"{kind}/list") or kind == "tools" and self.answers("tools/call"):
                wanted.add(kind)
        if self.answers("completion/complete"):
            wanted.add("completions")
        kept = {k: v for k, v in described["capabilities"].items() if k in wanted}
        return {**described, "capabilities": kept}

    def answers(self, method):
        """Return whether a handler for a method is registered."""
        return method in self.handlers or answers.custom(self, method) is not None

    async def handle(self, method, params):
        """Answer a request or take a notification; raises McpError."""
        custom = answers.custom(self, method)
        try:
            if custom is not None:
                return await answers.by_request(custom, method, params)
            handler = self.handlers.get(method)
            if handler is not None:
                return await answers.ANSWERS[method](self, handler, params)
        except McpError:
            raise
        except Exception as error:
            raise failure(0, reason_of(error)) from error
        if method in ("ping", "logging/setLevel") or method.startswith("notifications/"):
            return {}
        raise failure(METHOD_NOT_FOUND, "Method not found")

    async def run(self, *_args, **_options):
        """Serve. Streams and options are the host's business."""
        await launch.serve_async(self.owner or self)


def _registrar(name, method):
    def register(self, *_args, validate_input=True, **_options):
        def decorate(function):
            self.handlers[method] = function
            if method == "tools/call":
                self.validates_input = validate_input
            return function

        return decorate

    register.__name__ = name
    register.__doc__ = f"Register the decorated function as the handler of `{method}`."
    return register


for _name, _method in _REGISTRARS.items():
    setattr(Server, _name, _registrar(_name, _method))
