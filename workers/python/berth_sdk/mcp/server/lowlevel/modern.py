"""Handlers in the form of version 2 of the SDK: `on_call_tool=f` with `f(context, params)`."""

import typing

from berth_runtime.serving.context import settled
from berth_runtime.serving.content import wire
from berth_sdk.mcp import types

_OPTIONS = {
    "on_ping": "ping",
    "on_list_tools": "tools/list",
    "on_call_tool": "tools/call",
    "on_list_resources": "resources/list",
    "on_list_resource_templates": "resources/templates/list",
    "on_read_resource": "resources/read",
    "on_subscribe_resource": "resources/subscribe",
    "on_unsubscribe_resource": "resources/unsubscribe",
    "on_list_prompts": "prompts/list",
    "on_get_prompt": "prompts/get",
    "on_completion": "completion/complete",
    "on_set_logging_level": "logging/setLevel",
    "on_progress": "notifications/progress",
    "on_roots_list_changed": "notifications/roots/list_changed",
}


class _Takes:
    """Stands for the request class in `request_handlers`: all that is asked of it is a method."""

    def __init__(self, method):
        self.model_fields = {"method": self}
        self.method = method

    def get_default(self):
        """Return the method, as the field of a request class has it."""
        return self.method


def register(server, options):
    """Register the handlers among the options of a server."""
    for option, method in _OPTIONS.items():
        handler = options.get(option)
        if handler is not None:
            server.request_handlers[_Takes(method)] = adapted(server, method, handler)


def add(handlers, server, method, params_type, handler):
    """Register a handler in place of any other of its method."""
    for key in [key for key in handlers if key.model_fields["method"].get_default() == method]:
        del handlers[key]
    handlers[_Takes(method)] = adapted(server, method, handler, params_type)


def adapted(server, method, handler, params_type=None):
    """Return a handler of requests that calls one with a context and parameters."""
    kind = types.REQUESTS_BY_METHOD.get(method)

    async def handle(request):
        params = request.params
        if params_type is not None and params is not None:
            params = params_type.model_validate(params)
        elif params is None and kind is not None:
            params = _empty(kind)
        result = await settled(handler(server.request_context, params))
        return _Plain(result) if isinstance(result, dict) else result

    return handle


def _empty(kind):
    """Return parameters without fields, for methods that may come without any."""
    for part in typing.get_args(kind.__berth_record__().slots[1].info.annotation):
        if part is not type(None):
            return part()
    return None


class _Plain:
    """A result that a handler returned as a dictionary."""

    def __init__(self, values):
        self.values = values

    def model_dump(self, **_):
        """Return the dictionary with models inside it dumped."""
        return {
            key: wire(value) if hasattr(value, "model_dump") else value
            for key, value in self.values.items()
        }
