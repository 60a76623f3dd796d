"""What a client's handlers are called with, and what they may return."""

import dataclasses
import typing

from berth_runtime.model.dump import to_jsonable
from berth_runtime.serving.context import settled
from berth_sdk.mcp import types

from ..utilities.json_schema_type import json_schema_to_type


@dataclasses.dataclass
class ElicitResult:
    """The user's answer, with content of any type."""

    action: typing.Literal["accept", "decline", "cancel"]
    content: typing.Any = None
    meta: dict | None = None


def _told(callback):
    """Make a failure of a handler the client's refusal."""

    async def answer(*values):
        try:
            return await callback(*values)
        except Exception as error:
            return types.ErrorData(code=types.INTERNAL_ERROR, message=str(error))

    return answer


def of_roots(roots):
    """Return the callback for roots: a list, or a function of a context that returns one."""

    @_told
    async def callback(context):
        found = await settled(roots(context)) if callable(roots) else roots
        return types.ListRootsResult(roots=[_root(item) for item in found])

    if not isinstance(roots, list) and not callable(roots):
        raise ValueError(f"Invalid roots handler: {roots}")
    return callback


def _root(item):
    return item if isinstance(item, types.Root) else types.Root(uri=str(item))


def of_sampling(handler):
    """Return the callback for sampling; text is an answer of the assistant."""

    @_told
    async def callback(context, params):
        answer = await settled(handler(params.messages, params, context))
        if not isinstance(answer, str):
            return answer
        text = types.TextContent(type="text", text=answer)
        return types.CreateMessageResult(role="assistant", model="fastmcp-client", content=text)

    return callback


def of_elicitation(handler):
    """Return the callback for elicitation; anything but an `ElicitResult` is accepted data."""

    @_told
    async def callback(context, params):
        schema = getattr(params, "requestedSchema", None)
        empty = schema is None or schema == {"type": "object", "properties": {}}
        kind = None if empty else json_schema_to_type(schema)
        answer = await settled(handler(params.message, kind, params, context))
        if not hasattr(answer, "action"):
            answer = ElicitResult("accept", answer)
        content = to_jsonable(answer.content)
        if content is not None and not isinstance(content, dict):
            raise ValueError(
                "Elicitation responses must be serializable as a JSON object (dict). "
                f"Received: {answer.content!r}"
            )
        return types.ElicitResult(action=answer.action, content=content)

    return callback


def of_messages(handler):
    """Return the callback for messages: a function, or an object with a method for each kind."""
    if handler is None or not hasattr(handler, "on_message"):
        return handler
    names = {
        types.ToolListChangedNotification: "on_tool_list_changed",
        types.ResourceListChangedNotification: "on_resource_list_changed",
        types.PromptListChangedNotification: "on_prompt_list_changed",
        types.ResourceUpdatedNotification: "on_resource_updated",
        types.ProgressNotification: "on_progress",
        types.LoggingMessageNotification: "on_logging_message",
        types.CancelledNotification: "on_cancelled",
    }

    async def callback(message):
        known = message.root
        await settled(handler.on_message(message))
        await settled(handler.on_notification(message))
        name = names.get(type(known))
        if name is not None:
            await settled(getattr(handler, name)(known))

    return callback
