"""Requests and notifications as models: a method with its parameters."""

from typing import Any, Literal

from . import client, features
from .base import (
    ErrorData,
    NotificationParams,
    PaginatedRequestParams,
    RequestId,
    RequestParams,
    Wire,
)

_OPTIONAL = {RequestParams, NotificationParams, PaginatedRequestParams}


class Request(Wire):
    """A request: method and parameters."""

    method: str
    params: Any = None


class PaginatedRequest(Request):
    """A request for a list."""

    params: PaginatedRequestParams | None = None


class Notification(Wire):
    """A notification: method and parameters."""

    method: str
    params: Any = None


class JSONRPCRequest(Request):
    """A request on the wire."""

    jsonrpc: Literal["2.0"]
    id: RequestId
    params: dict[str, Any] | None = None


class JSONRPCNotification(Notification):
    """A notification on the wire."""

    jsonrpc: Literal["2.0"]
    params: dict[str, Any] | None = None


class JSONRPCResponse(Wire):
    """An answer on the wire."""

    jsonrpc: Literal["2.0"]
    id: RequestId
    result: dict[str, Any]


class JSONRPCError(Wire):
    """A refusal on the wire."""

    jsonrpc: Literal["2.0"]
    id: RequestId
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
    ("InitializeRequest", "initialize", client.InitializeRequestParams),
    ("ListToolsRequest", "tools/list", PaginatedRequestParams),
    ("CallToolRequest", "tools/call", features.CallToolRequestParams),
    ("ListResourcesRequest", "resources/list", PaginatedRequestParams),
    ("ListResourceTemplatesRequest", "resources/templates/list", PaginatedRequestParams),
    ("ReadResourceRequest", "resources/read", features.ReadResourceRequestParams),
    ("SubscribeRequest", "resources/subscribe", features.SubscribeRequestParams),
    ("UnsubscribeRequest", "resources/unsubscribe", features.UnsubscribeRequestParams),
    ("ListPromptsRequest", "prompts/list", PaginatedRequestParams),
    ("GetPromptRequest", "prompts/get", features.GetPromptRequestParams),
    ("CompleteRequest", "completion/complete", features.CompleteRequestParams),
    ("SetLevelRequest", "logging/setLevel", client.SetLevelRequestParams),
    ("CreateMessageRequest", "sampling/createMessage", client.CreateMessageRequestParams),
    ("ElicitRequest", "elicitation/create", client.ElicitRequestParams),
    ("ListRootsRequest", "roots/list", RequestParams),
)
_NOTIFICATIONS = (
    ("InitializedNotification", "initialized", NotificationParams),
    ("CancelledNotification", "cancelled", client.CancelledNotificationParams),
    ("ProgressNotification", "progress", client.ProgressNotificationParams),
    ("LoggingMessageNotification", "message", client.LoggingMessageNotificationParams),
    ("ToolListChangedNotification", "tools/list_changed", NotificationParams),
    ("PromptListChangedNotification", "prompts/list_changed", NotificationParams),
    ("ResourceListChangedNotification", "resources/list_changed", NotificationParams),
    (
        "ResourceUpdatedNotification",
        "resources/updated",
        features.ResourceUpdatedNotificationParams,
    ),
    ("RootsListChangedNotification", "roots/list_changed", NotificationParams),
    (
        "ElicitCompleteNotification",
        "elicitation/complete",
        client.ElicitCompleteNotificationParams,
    ),
)
REQUESTS_BY_METHOD = {}
for _name, _method, _params in _REQUESTS:
    _base = PaginatedRequest if _params is PaginatedRequestParams else Request
    globals()[_name] = REQUESTS_BY_METHOD[_method] = _message(_name, _base, _method, _params)
for _name, _method, _params in _NOTIFICATIONS:
    globals()[_name] = _message(_name, Notification, f"notifications/{_method}", _params)


class _Any:
    """Holds one message of several kinds; it is taken as it is."""

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
