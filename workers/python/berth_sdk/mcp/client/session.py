"""`ClientSession`: what a client asks of a server, and what it answers to it."""

import asyncio
import contextvars

from berth_runtime.serving.content import wire
from berth_runtime.serving.context import settled
from berth_runtime.serving.errors import INVALID_REQUEST, failure
from berth_sdk.mcp import types

from .streamable_http import seconds_of

_INFO = types.Implementation(name="mcp", version="0.1.0")


class ClientSession:
    """A session over a connection, which the transports of this package yield as read stream.

    Callbacks are those of the SDK: each takes a context and parameters and returns a result or an
    `ErrorData`; `logging_callback` and `message_handler` take what was sent.
    """

    def __init__(
        self,
        read_stream,
        write_stream=None,
        read_timeout_seconds=None,
        sampling_callback=None,
        elicitation_callback=None,
        list_roots_callback=None,
        logging_callback=None,
        message_handler=None,
        client_info=None,
        *,
        sampling_capabilities=None,
        **_,
    ):
        self._connection = read_stream
        self._connection.peer = self
        self._limit = seconds_of(read_timeout_seconds)
        self._answering = {
            "sampling/createMessage": sampling_callback,
            "elicitation/create": elicitation_callback,
            "roots/list": list_roots_callback,
        }
        self._sampling = sampling_capabilities
        self._logging = logging_callback
        self._messages = message_handler
        self._info = client_info or _INFO
        self._progress, self._last_token = {}, 0
        self._running, self._outer = set(), None
        self._capabilities = None
        self._schemas = {}

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        await self._settle()

    async def initialize(self):
        """Agree with the server on a revision; returns its `InitializeResult`."""
        capabilities = {}
        if self._answering["sampling/createMessage"] is not None:
            capabilities["sampling"] = wire(self._sampling) if self._sampling else {}
        if self._answering["elicitation/create"] is not None:
            capabilities["elicitation"] = {"form": {}, "url": {}}
        if self._answering["roots/list"] is not None:
            capabilities["roots"] = {"listChanged": True}
        params = {
            "protocolVersion": types.LATEST_PROTOCOL_VERSION,
            "capabilities": capabilities,
            "clientInfo": wire(self._info),
        }
        result = await self._ask("initialize", params, types.InitializeResult)
        self._capabilities = result.capabilities
        await self._connection.notify("notifications/initialized", {})
        return result

    def get_server_capabilities(self):
        """Return what the server can do, or None before `initialize`."""
        return self._capabilities

    async def send_request(self, request, result_type, request_read_timeout_seconds=None, *_, **__):
        """Send a request that is given as a model; raises McpError."""
        request = getattr(request, "root", request)
        params = wire(request.params) if request.params is not None else {}
        seconds = seconds_of(request_read_timeout_seconds)
        return await self._ask(request.method, params, result_type, seconds)

    async def send_notification(self, notification, *_):
        """Send a notification that is given as a model."""
        notification = getattr(notification, "root", notification)
        params = wire(notification.params) if notification.params is not None else {}
        await self._connection.notify(notification.method, params)

    async def send_ping(self):
        """Ask whether the server is there."""
        return await self._ask("ping", {}, types.EmptyResult)

    async def send_progress_notification(
        self, progress_token, progress, total=None, message=None, **_
    ):
        """Tell the server about the progress of a request of its own."""
        params = types.ProgressNotificationParams(
            progressToken=progress_token, progress=progress, total=total, message=message
        )
        await self._connection.notify("notifications/progress", wire(params))

    async def send_roots_list_changed(self):
        """Tell the server that the roots have changed."""
        await self._connection.notify("notifications/roots/list_changed", {})

    async def set_logging_level(self, level):
        """Set from which level on log messages are wanted."""
        return await self._ask("logging/setLevel", {"level": level}, types.EmptyResult)

    async def list_tools(self, cursor=None, *, params=None):
        """Return a page of the server's tools."""
        result = await self._list("tools/list", cursor, params, types.ListToolsResult)
        self._schemas.update({tool.name: tool.outputSchema for tool in result.tools})
        return result

    async def list_resources(self, cursor=None, *, params=None):
        """Return a page of the server's resources."""
        return await self._list("resources/list", cursor, params, types.ListResourcesResult)

    async def list_resource_templates(self, cursor=None, *, params=None):
        """Return a page of the server's resource templates."""
        kind = types.ListResourceTemplatesResult
        return await self._list("resources/templates/list", cursor, params, kind)

    async def list_prompts(self, cursor=None, *, params=None):
        """Return a page of the server's prompts."""
        return await self._list("prompts/list", cursor, params, types.ListPromptsResult)

    async def _list(self, method, cursor, params, kind):
        asked = wire(params) if params is not None else {}
        if cursor is not None:
            asked["cursor"] = cursor
        return await self._ask(method, asked, kind)

    async def call_tool(
        self, name, arguments=None, read_timeout_seconds=None, progress_callback=None, *, meta=None
    ):
        """Call a tool; its failure is a result with `isError`."""
        params = {"name": name, "arguments": arguments or {}}
        seconds = seconds_of(read_timeout_seconds)
        return await self._ask(
            "tools/call", params, types.CallToolResult, seconds, progress_callback, meta
        )

    async def read_resource(self, uri):
        """Return the contents of a resource."""
        return await self._ask("resources/read", {"uri": str(uri)}, types.ReadResourceResult)

    async def subscribe_resource(self, uri):
        """Ask to be told when a resource changes."""
        return await self._ask("resources/subscribe", {"uri": str(uri)}, types.EmptyResult)

    async def unsubscribe_resource(self, uri):
        """Ask not to be told any more."""
        return await self._ask("resources/unsubscribe", {"uri": str(uri)}, types.EmptyResult)

    async def get_prompt(self, name, arguments=None):
        """Return a rendered prompt."""
        params = {"name": name, "arguments": arguments or {}}
        return await self._ask("prompts/get", params, types.GetPromptResult)

    async def complete(self, ref, argument, context_arguments=None):
        """Return suggestions for an argument."""
        params = {"ref": wire(ref), "argument": argument}
        if context_arguments is not None:
            params["context"] = {"arguments": context_arguments}
        return await self._ask("completion/complete", params, types.CompleteResult)

    async def _ask(self, method, params, kind, seconds=None, progress=None, meta=None):
        self._outer = contextvars.copy_context()
        meta = dict(meta or {})
        if progress is not None:
            self._last_token += 1
            meta["progressToken"] = self._last_token
            self._progress[self._last_token] = progress
        asked = {**params, "_meta": meta} if meta else params
        try:
            answer = await self._connection.request(method, asked, seconds or self._limit)
            await self._settle()
        finally:
            self._progress.pop(meta.get("progressToken"), None)
        return kind.model_validate(answer)

    def notified(self, method, params):
        """Take a notification of the server; what is to be done runs in the caller's context."""
        if method == "notifications/progress":
            told = types.ProgressNotificationParams.model_validate(params)
            callback = self._progress.get(told.progressToken)
            if callback is not None:
                self._start(callback, told.progress, told.total, told.message)
        if method == "notifications/message" and self._logging is not None:
            self._start(self._logging, types.LoggingMessageNotificationParams(**params))
        if self._messages is not None:
            kind = types.NOTIFICATIONS_BY_METHOD.get(method)
            if kind is not None:
                message = kind.model_validate({"method": method, "params": params})
                self._start(self._messages, types.ServerNotification(message))

    def _start(self, callback, *values):
        async def run():
            await settled(callback(*values))

        task = asyncio.get_running_loop().create_task(run(), context=self._outer)
        self._running.add(task)

    async def _settle(self):
        """Wait until what the server told has been taken."""
        while self._running:
            await self._running.pop()

    async def asked(self, method, params):
        """Return the result of a request of the server; raises McpError."""
        if method == "ping":
            return {}
        callback = self._answering.get(method)
        if callback is None:
            raise failure(INVALID_REQUEST, _REFUSALS.get(method, "Method not found"))
        values = [self]
        if method != "roots/list":
            values.append(_params_of(method, params))

        async def run():
            return await settled(callback(*values))

        loop = asyncio.get_running_loop()
        answer = await loop.create_task(run(), context=self._outer)
        if isinstance(answer, types.ErrorData):
            raise failure(answer.code, answer.message, answer.data)
        return wire(answer)


_REFUSALS = {
    "sampling/createMessage": "Sampling not supported",
    "elicitation/create": "Elicitation not supported",
    "roots/list": "List roots not supported",
}


def _params_of(method, params):
    kind = types.REQUESTS_BY_METHOD[method]
    return kind.model_validate({"method": method, "params": params}).params
