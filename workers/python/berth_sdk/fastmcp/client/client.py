"""The client: a session opened by `async with`, and calls with results in Python's types."""

import contextlib
import copy
import dataclasses
import typing
import uuid

from berth_runtime.model import TypeAdapter
from berth_runtime.model.dump import to_json
from berth_sdk.mcp import types
from berth_sdk.mcp.client.session import ClientSession
from berth_sdk.mcp.client.streamable_http import seconds_of

from ..exceptions import ToolError
from . import callbacks
from .transports import infer_transport

_UNKNOWN = object()


@dataclasses.dataclass
class CallToolResult:
    """What a tool returned; `data` is its structured content in the types of its schema."""

    content: list
    structured_content: dict | None
    meta: dict | None
    data: typing.Any = None
    is_error: bool = False


class Client:
    """A client of a server object, of an address, or of a configuration of servers."""

    def __init__(
        self,
        transport,
        name=None,
        roots=None,
        sampling_handler=None,
        sampling_capabilities=None,
        elicitation_handler=None,
        log_handler=None,
        message_handler=None,
        progress_handler=None,
        timeout=None,
        auto_initialize=True,
        init_timeout=None,
        client_info=None,
        auth=None,
    ):
        self.name = name or f"Client-{uuid.uuid4().hex[:4]}"
        self.transport = infer_transport(transport)
        if auth is not None:
            self.transport._set_auth(auth)
        self.auto_initialize = auto_initialize
        self._progress_handler = progress_handler
        self._options = {
            "read_timeout_seconds": seconds_of(timeout),
            "logging_callback": log_handler,
            "message_handler": callbacks.of_messages(message_handler),
            "client_info": client_info,
        }
        if roots is not None:
            self.set_roots(roots)
        if sampling_handler is not None:
            self.set_sampling_callback(sampling_handler, sampling_capabilities)
        if elicitation_handler is not None:
            self.set_elicitation_callback(elicitation_handler)
        self._reset()

    def __class_getitem__(cls, _arguments):
        return cls

    def _reset(self):
        self._session, self._connection, self._depth = None, None, 0
        self.initialize_result = None

    def set_roots(self, roots):
        """Set the roots: a list, or a function that returns one."""
        self._options["list_roots_callback"] = callbacks.of_roots(roots)

    def set_sampling_callback(self, sampling_callback, sampling_capabilities=None):
        """Set what answers requests for sampling."""
        self._options["sampling_callback"] = callbacks.of_sampling(sampling_callback)
        tools = types.SamplingCapability(tools=types.SamplingToolsCapability())
        self._options["sampling_capabilities"] = sampling_capabilities or tools

    def set_elicitation_callback(self, elicitation_callback):
        """Set what answers requests for elicitation."""
        self._options["elicitation_callback"] = callbacks.of_elicitation(elicitation_callback)

    @property
    def session(self):
        """The session; raises RuntimeError when the client is not connected."""
        if self._session is None:
            raise RuntimeError(
                "Client is not connected. Use the 'async with client:' context manager first."
            )
        return self._session

    def is_connected(self):
        """Return whether there is a session."""
        return self._session is not None

    def new(self):
        """Return a client of the same server that is not connected."""
        made = copy.copy(self)
        made._reset()
        made.name += f"-{uuid.uuid4().hex[:4]}"
        return made

    async def __aenter__(self):
        self._depth += 1
        if self._session is None:
            try:
                self._connection = self.transport.connect()
                self._session = ClientSession(self._connection, **self._options)
                if self.auto_initialize:
                    await self.initialize()
            except BaseException:
                await self.close()
                raise
        return self

    async def __aexit__(self, *_):
        self._depth -= 1
        if self._depth <= 0:
            await self.close()

    async def close(self):
        """End the session."""
        connection, session = self._connection, self._session
        self._reset()
        with contextlib.suppress(Exception):
            if session is not None:
                await session.__aexit__(None, None, None)
        with contextlib.suppress(Exception):
            if connection is not None:
                await connection.close()

    async def initialize(self, timeout=None):
        """Agree with the server on a revision; done by `async with` unless told otherwise."""
        if self.initialize_result is None:
            self.initialize_result = await self.session.initialize()
        return self.initialize_result

    async def ping(self):
        """Return whether the server answers."""
        return isinstance(await self.session.send_ping(), types.EmptyResult)

    async def cancel(self, request_id, reason=None):
        """Tell the server that a request is not wanted any more."""
        params = types.CancelledNotificationParams(requestId=request_id, reason=reason)
        await self.session.send_notification(types.CancelledNotification(params=params))

    async def progress(self, progress_token, progress, total=None, message=None):
        """Tell the server about the progress of a request of its own."""
        await self.session.send_progress_notification(progress_token, progress, total, message)

    async def set_logging_level(self, level):
        """Set from which level on log messages are wanted."""
        await self.session.set_logging_level(level)

    async def send_roots_list_changed(self):
        """Tell the server that the roots have changed."""
        await self.session.send_roots_list_changed()

    async def list_tools_mcp(self):
        """Return the first page of tools as the protocol has it."""
        return await self.session.list_tools()

    async def list_tools(self):
        """Return the tools."""
        return await self._all(self.session.list_tools, "tools")

    async def list_resources_mcp(self):
        """Return the first page of resources as the protocol has it."""
        return await self.session.list_resources()

    async def list_resources(self):
        """Return the resources."""
        return await self._all(self.session.list_resources, "resources")

    async def list_resource_templates_mcp(self):
        """Return the first page of resource templates as the protocol has it."""
        return await self.session.list_resource_templates()

    async def list_resource_templates(self):
        """Return the resource templates."""
        return await self._all(self.session.list_resource_templates, "resourceTemplates")

    async def list_prompts_mcp(self):
        """Return the first page of prompts as the protocol has it."""
        return await self.session.list_prompts()

    async def list_prompts(self):
        """Return the prompts."""
        return await self._all(self.session.list_prompts, "prompts")

    async def _all(self, ask, field):
        page = await ask()
        found = list(getattr(page, field))
        while page.nextCursor is not None:
            page = await ask(cursor=page.nextCursor)
            found.extend(getattr(page, field))
        return found

    async def read_resource_mcp(self, uri, meta=None):
        """Return a resource as the protocol has it."""
        return await self.session.read_resource(uri)

    async def read_resource(self, uri, **_):
        """Return the contents of a resource."""
        return (await self.read_resource_mcp(uri)).contents

    async def get_prompt_mcp(self, name, arguments=None, meta=None):
        """Return a rendered prompt as the protocol has it; values become text."""
        texts = {
            key: value if isinstance(value, str) else to_json(value)
            for key, value in (arguments or {}).items()
        }
        return await self.session.get_prompt(name, texts)

    async def get_prompt(self, name, arguments=None, **_):
        """Return a rendered prompt."""
        return await self.get_prompt_mcp(name, arguments)

    async def complete_mcp(self, ref, argument, context_arguments=None):
        """Return suggestions as the protocol has them."""
        return await self.session.complete(ref, argument, context_arguments)

    async def complete(self, ref, argument, context_arguments=None):
        """Return suggestions for an argument."""
        return (await self.complete_mcp(ref, argument, context_arguments)).completion

    async def call_tool_mcp(
        self, name, arguments=None, progress_handler=None, timeout=None, meta=None
    ):
        """Return what a tool returned as the protocol has it."""
        progress = progress_handler or self._progress_handler
        return await self.session.call_tool(
            name, arguments or {}, timeout, progress_callback=progress, meta=meta
        )

    async def call_tool(
        self,
        name,
        arguments=None,
        *,
        timeout=None,
        progress_handler=None,
        raise_on_error=True,
        meta=None,
        **_,
    ):
        """Return what a tool returned; raises ToolError for its failure, unless told otherwise."""
        result = await self.call_tool_mcp(name, arguments, progress_handler, timeout, meta)
        if result.isError and raise_on_error:
            raise ToolError(result.content[0].text)
        data = await self._data(name, result.structuredContent) if not result.isError else None
        return CallToolResult(
            result.content, result.structuredContent, result.meta, data, result.isError
        )

    async def _data(self, name, structured):
        """Return structured content in the types of the tool's schema, if it fits them."""
        if not structured:
            return None
        known = self.session._schemas
        if name not in known:
            await self.session.list_tools()
        schema = known.get(name, _UNKNOWN)
        if schema is _UNKNOWN:
            return None
        if not schema:
            return structured
        if schema.get("x-fastmcp-wrap-result"):
            inner = schema.get("properties", {}).get("result") or {}
            schema = {**inner, "$defs": schema.get("$defs", {})}
            structured = structured.get("result")
        from ..utilities.json_schema_type import json_schema_to_type

        try:
            return TypeAdapter(json_schema_to_type(schema)).validate_python(structured)
        except ValueError:
            return None
