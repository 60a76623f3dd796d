"""Requests and notifications as models: a method with its parameters."""

import functools
import operator
import re
from typing import Any, Generic, Literal, TypeVar

from berth_runtime.model import FieldInfo

from . import base as _base
from . import client as _client
from . import features as _features
from . import tasks as _tasks
from .base import (
    ErrorData,
    NotificationParams,
    PaginatedRequestParams,
    RequestId,
    RequestParams,
    Wire,
)

_OPTIONAL = {RequestParams, NotificationParams, PaginatedRequestParams}


RequestParamsT = TypeVar("RequestParamsT", bound=RequestParams | dict[str, Any] | None)
NotificationParamsT = TypeVar(
    "NotificationParamsT", bound=NotificationParams | dict[str, Any] | None
)
MethodT = TypeVar("MethodT", bound=str)


class Request(Wire, Generic[RequestParamsT, MethodT]):
    """A request: method and parameters."""

    method: MethodT
    params: RequestParamsT


class PaginatedRequest(Request, Generic[MethodT]):
    """A request for a list."""

    params: PaginatedRequestParams | None = None


class Notification(Wire, Generic[NotificationParamsT, MethodT]):
    """A notification: method and parameters."""

    method: MethodT
    params: NotificationParamsT


class JSONRPCRequest(Request):
    """A request on the wire."""

    jsonrpc: Literal["2.0"]
    id: RequestId
    method: str
    params: dict[str, Any] | None = None


class JSONRPCNotification(Notification):
    """A notification on the wire."""

    jsonrpc: Literal["2.0"]
    method: str
    params: dict[str, Any] | None = None


class JSONRPCResponse(Wire):
    """An answer on the wire."""

    jsonrpc: Literal["2.0"]
    id: RequestId
    result: dict[str, Any]


class JSONRPCError(Wire):
    """A refusal on the wire."""

    jsonrpc: Literal["2.0"]
    id: str | int
    error: ErrorData


def _message(name, base, method, params):
    """Make the model of one method, as a class body would."""
    kind = params | None if params in _OPTIONAL else params
    body = {
        "__module__": __name__,
        "__doc__": f"The message `{method}`.",
        "__annotations__": {"method": Literal[method], "params": kind},
        "method": method,
    }
    if params in _OPTIONAL:
        body["params"] = None
    return type(name, (base,), body)


_REQUESTS = (
    ("PingRequest", "ping", RequestParams),
    ("InitializeRequest", "initialize", _client.InitializeRequestParams),
    ("ListToolsRequest", "tools/list", PaginatedRequestParams),
    ("CallToolRequest", "tools/call", _features.CallToolRequestParams),
    ("ListResourcesRequest", "resources/list", PaginatedRequestParams),
    ("ListResourceTemplatesRequest", "resources/templates/list", PaginatedRequestParams),
    ("ReadResourceRequest", "resources/read", _features.ReadResourceRequestParams),
    ("SubscribeRequest", "resources/subscribe", _features.SubscribeRequestParams),
    ("UnsubscribeRequest", "resources/unsubscribe", _features.UnsubscribeRequestParams),
    ("ListPromptsRequest", "prompts/list", PaginatedRequestParams),
    ("GetPromptRequest", "prompts/get", _features.GetPromptRequestParams),
    ("CompleteRequest", "completion/complete", _features.CompleteRequestParams),
    ("SetLevelRequest", "logging/setLevel", _client.SetLevelRequestParams),
    ("CreateMessageRequest", "sampling/createMessage", _client.CreateMessageRequestParams),
    ("ElicitRequest", "elicitation/create", _client.ElicitRequestParams),
    ("ListRootsRequest", "roots/list", RequestParams),
    ("GetTaskRequest", "tasks/get", _tasks.GetTaskRequestParams),
    ("GetTaskPayloadRequest", "tasks/result", _tasks.GetTaskPayloadRequestParams),
    ("ListTasksRequest", "tasks/list", PaginatedRequestParams),
    ("CancelTaskRequest", "tasks/cancel", _tasks.CancelTaskRequestParams),
)
_NOTIFICATIONS = (
    ("InitializedNotification", "initialized", NotificationParams),
    ("CancelledNotification", "cancelled", _client.CancelledNotificationParams),
    ("ProgressNotification", "progress", _client.ProgressNotificationParams),
    ("LoggingMessageNotification", "message", _client.LoggingMessageNotificationParams),
    ("ToolListChangedNotification", "tools/list_changed", NotificationParams),
    ("PromptListChangedNotification", "prompts/list_changed", NotificationParams),
    ("ResourceListChangedNotification", "resources/list_changed", NotificationParams),
    (
        "ResourceUpdatedNotification",
        "resources/updated",
        _features.ResourceUpdatedNotificationParams,
    ),
    ("RootsListChangedNotification", "roots/list_changed", NotificationParams),
    (
        "ElicitCompleteNotification",
        "elicitation/complete",
        _client.ElicitCompleteNotificationParams,
    ),
    ("TaskStatusNotification", "tasks/status", _tasks.TaskStatusNotificationParams),
)
REQUESTS_BY_METHOD, NOTIFICATIONS_BY_METHOD = {}, {}
for _name, _method, _params in _REQUESTS:
    _parent = PaginatedRequest if _params is PaginatedRequestParams else Request
    globals()[_name] = REQUESTS_BY_METHOD[_method] = _message(_name, _parent, _method, _params)
for _name, _method, _params in _NOTIFICATIONS:
    _method = f"notifications/{_method}"
    globals()[_name] = NOTIFICATIONS_BY_METHOD[_method] = _message(
        _name, Notification, _method, _params
    )


_SIDES = {
    "ClientRequest": "Ping Initialize Complete SetLevel GetPrompt ListPrompts ListResources "
    "ListResourceTemplates ReadResource Subscribe Unsubscribe CallTool ListTools GetTask "
    "GetTaskPayload ListTasks CancelTask",
    "ClientNotification": "Cancelled Progress Initialized RootsListChanged TaskStatus",
    "ClientResult": "Empty CreateMessage CreateMessageResultWithTools ListRoots Elicit GetTask "
    "GetTaskPayload ListTasks CancelTask CreateTask",
    "ServerRequest": "Ping CreateMessage ListRoots Elicit GetTask GetTaskPayload ListTasks "
    "CancelTask",
    "ServerNotification": "Cancelled Progress LoggingMessage ResourceUpdated ResourceListChanged "
    "ToolListChanged PromptListChanged ElicitComplete TaskStatus",
    "ServerResult": "Empty Initialize Complete GetPrompt ListPrompts ListResources "
    "ListResourceTemplates ReadResource CallTool ListTools GetTask GetTaskPayload ListTasks "
    "CancelTask CreateTask",
}
_known = {**vars(_base), **vars(_client), **vars(_features), **vars(_tasks), **globals()}
for _side, _words in _SIDES.items():
    _ending = re.sub("Client|Server", "", _side)
    _kinds = (_known.get(f"{_word}{_ending}") or _known[_word] for _word in _words.split())
    globals()[f"{_side}Type"] = functools.reduce(operator.or_, _kinds)
del _known


class _Any:
    """Holds one message of several kinds; it is taken as it is."""

    model_fields = {"root": FieldInfo()}

    def __init__(self, root):
        self.root = root

    @classmethod
    def model_validate(cls, value, **_):
        """Return the holder of a message that is given as a model or dictionary."""
        if isinstance(value, cls):
            return value
        if isinstance(value, dict) and value.get("method") in REQUESTS_BY_METHOD:
            value = REQUESTS_BY_METHOD[value["method"]].model_validate(value)
        return cls(value)

    def model_dump(self, **options):
        """Return the message as a dictionary."""
        return self.root.model_dump(**options)

    def model_dump_json(self, **options):
        """Return the message as JSON text."""
        return self.root.model_dump_json(**options)


class ClientRequest(_Any):
    """Any request of a client."""


class ClientNotification(_Any):
    """Any notification of a client."""


class ClientResult(_Any):
    """Any result of a client."""


class ServerRequest(_Any):
    """Any request of a server."""


class ServerNotification(_Any):
    """Any notification of a server."""


class ServerResult(_Any):
    """Any result of a server."""


class JSONRPCMessage(_Any):
    """Any message on the wire."""
