"""What the handlers of a low-level server return, in the form that goes over the wire."""

import inspect
import typing

from berth_runtime.model.dump import base64_text
from berth_runtime.model.errors import ValidationError
from berth_runtime.serving.base import object_of, text_of
from berth_runtime.serving.content import wire
from berth_runtime.serving.context import settled
from berth_runtime.serving.errors import INVALID_PARAMS, failure
from berth_runtime.serving.resources import asked_uri
from berth_sdk.mcp import types

from . import calls


def custom(server, method):
    """Return the handler that was put into `request_handlers` for a method, or None."""
    table = server.request_handlers or server.notification_handlers
    if not table:
        return None
    kinds = {**server.request_handlers, **server.notification_handlers}
    for kind, handler in kinds.items():
        if kind.model_fields["method"].get_default() == method:
            return handler
    return None


async def by_request(handler, method, params):
    """Answer with a handler that takes a whole request and returns a whole result."""
    kind = types.REQUESTS_BY_METHOD.get(method, types.Notification)
    result = await settled(handler(request_of(kind, method, params)))
    result = getattr(result, "root", result)
    return wire(result) if result is not None else {}


def request_of(kind, method, params):
    """Return a request as a model; raises McpError."""
    try:
        return kind.model_validate({"method": method, "params": params or None})
    except ValidationError as error:
        raise failure(INVALID_PARAMS, f"Invalid params: {error}") from None


async def _listed(handler, request, params, result, field):
    """Answer with a list: items as the handler returned them, or its whole result."""
    name = _wants_request(handler, request)
    method = request.model_fields["method"].get_default()
    given = [request_of(request, method, params)] if name else []
    made = await settled(handler(*given))
    return made if isinstance(made, result) else result(**{field: made})


def _wants_request(handler, request):
    """Return whether a handler has a parameter for the whole request."""
    try:
        hints = typing.get_type_hints(handler)
        parameters = inspect.signature(handler).parameters.values()
    except TypeError, ValueError, NameError:
        return False
    return any(
        hints.get(item.name) is request and item.default is item.empty for item in parameters
    )


async def list_tools(server, handler, params):
    """Answer tools/list, and remember the schemas for calls."""
    result = await _listed(handler, types.ListToolsRequest, params, types.ListToolsResult, "tools")
    server.tool_cache.update({tool.name: tool for tool in result.tools})
    return wire(result)


async def call_tool(server, handler, params):
    """Answer tools/call."""
    name, arguments = text_of(params, "name"), object_of(params, "arguments")
    lister = server.handlers.get("tools/list")
    if name not in server.tool_cache and lister is not None:
        await list_tools(server, lister, {})
    tool = server.tool_cache.get(name)
    return await calls.call(handler, tool, name, arguments, server.validates_input)


async def list_resources(_server, handler, params):
    """Answer resources/list."""
    kind, result = types.ListResourcesRequest, types.ListResourcesResult
    return wire(await _listed(handler, kind, params, result, "resources"))


async def list_templates(_server, handler, params):
    """Answer resources/templates/list."""
    kind, result = types.ListResourceTemplatesRequest, types.ListResourceTemplatesResult
    return wire(await _listed(handler, kind, params, result, "resourceTemplates"))


async def read_resource(_server, handler, params):
    """Answer resources/read."""
    uri = asked_uri(params)
    result = await settled(handler(types.Url(uri)))
    if isinstance(result, types.ReadResourceResult):
        return wire(result)
    items = [result] if isinstance(result, (str, bytes)) else list(result)
    return {"contents": [_contents(uri, item) for item in items]}


def _contents(uri, item):
    data = item if isinstance(item, (str, bytes)) else item.content
    kind, meta = getattr(item, "mime_type", None), getattr(item, "meta", None)
    if isinstance(data, bytes):
        kind = kind or "application/octet-stream"
        shape = {"uri": uri, "mimeType": kind, "blob": base64_text(data)}
    else:
        shape = {"uri": uri, "mimeType": kind or "text/plain", "text": data}
    return shape if meta is None else {**shape, "_meta": meta}


async def watch(_server, handler, params):
    """Answer resources/subscribe and resources/unsubscribe."""
    await settled(handler(types.Url(asked_uri(params))))
    return {}


async def list_prompts(_server, handler, params):
    """Answer prompts/list."""
    kind, result = types.ListPromptsRequest, types.ListPromptsResult
    return wire(await _listed(handler, kind, params, result, "prompts"))


async def get_prompt(_server, handler, params):
    """Answer prompts/get."""
    arguments = params.get("arguments")
    return wire(await settled(handler(text_of(params, "name"), arguments)))


async def complete(_server, handler, params):
    """Answer completion/complete."""
    made = await settled(handler(*calls.completion(params)))
    return {"completion": wire(made) if made is not None else {"values": []}}


async def set_level(_server, handler, params):
    """Answer logging/setLevel."""
    await settled(handler(text_of(params, "level")))
    return {}


async def progress(_server, handler, params):
    """Take notifications/progress."""
    keys = ("progressToken", "progress", "total", "message")
    await settled(handler(*(params.get(key) for key in keys)))
    return {}


ANSWERS = {
    "tools/list": list_tools,
    "tools/call": call_tool,
    "resources/list": list_resources,
    "resources/templates/list": list_templates,
    "resources/read": read_resource,
    "resources/subscribe": watch,
    "resources/unsubscribe": watch,
    "prompts/list": list_prompts,
    "prompts/get": get_prompt,
    "completion/complete": complete,
    "logging/setLevel": set_level,
    "notifications/progress": progress,
}
