"""What all MCP models have in common, and constants."""

import re
from collections.abc import Callable
from typing import Any, Literal

from berth_runtime.model import BaseModel, Field, Url
from berth_runtime.model.dump import encode
from berth_runtime.model.output import Options
from berth_sdk.versions import current

_CAPITAL = re.compile("(?<=[a-z0-9])[A-Z]")

LATEST_PROTOCOL_VERSION = "2025-11-25"
DEFAULT_NEGOTIATED_VERSION = "2025-03-26"

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
CONNECTION_CLOSED = -32000
RESOURCE_NOT_FOUND = -32002
URL_ELICITATION_REQUIRED = -32042

AnyUrl = FileUrl = Url
ProgressToken = str | int
Cursor = str
Role = Literal["user", "assistant"]
RequestId = int | str
AnyFunction = Callable[..., Any]
IncludeContext = Literal["none", "thisServer", "allServers"]
StopReason = Literal["endTurn", "stopSequence", "maxTokens", "toolUse"] | str
ElicitRequestedSchema = dict[str, Any]
TaskExecutionMode = Literal["forbidden", "optional", "required"]
TASK_FORBIDDEN, TASK_OPTIONAL, TASK_REQUIRED = "forbidden", "optional", "required"
LoggingLevel = Literal[
    "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"
]


class Wire(BaseModel):
    """A model of the protocol: unknown fields are kept, names with underscores have aliases.

    Version 2 of the SDK writes the same fields as `input_schema`, `mime_type` and so on: both
    spellings are understood.
    """

    model_config = {"extra": "allow", "populate_by_name": True}

    def __berth_fill__(self, data, checked=False):
        if any("_" in key and key[0] != "_" for key in data if isinstance(key, str)):
            record = type(self).__berth_record__()
            known = {slot.alias for slot in record.slots}
            data = {_wire_name(key, known): value for key, value in data.items()}
        super().__berth_fill__(data, checked)

    def model_dump(self, **options):
        """Return the fields as a dictionary, in version 2 with underscores in their names."""
        return self.__berth_dump__(options=Options.of(options))

    def model_dump_json(self, *, indent=None, **options):
        """Return the fields as JSON text."""
        return encode(self.model_dump(**{**options, "mode": "json"}), indent=indent)

    dict, json = model_dump, model_dump_json

    def __berth_dump__(self, fallback=None, options=None):
        written = super().__berth_dump__(fallback, options)
        if options is None or options.by_alias or not current("mcp").underscores:
            return written
        return {_snake(key): value for key, value in written.items()}

    def __getattr__(self, name):
        wire_name = _camel(name)
        if wire_name != name and wire_name in self.__dict__:
            return self.__dict__[wire_name]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


def _camel(name):
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def _snake(name):
    return _CAPITAL.sub(lambda found: f"_{found[0].lower()}", name)


def _wire_name(key, known):
    if not isinstance(key, str) or key in known:
        return key
    name = _camel(key)
    return name if name in known else key


class Result(Wire):
    """Base of results."""

    meta: dict[str, Any] | None = Field(alias="_meta", default=None)


class PaginatedResult(Result):
    """Base of results that come in pages."""

    nextCursor: str | None = None


class EmptyResult(Result):
    """A result without fields."""


class TaskMetadata(Wire):
    """A client's wish to have a request answered as a task. Berth answers at once instead."""

    ttl: int | None = None


class RequestParams(Wire):
    """Base of the parameters of requests."""

    class Meta(Wire):
        """Metadata of a request."""

        progressToken: ProgressToken | None = None

    task: TaskMetadata | None = None
    meta: Meta | None = Field(alias="_meta", default=None)


class PaginatedRequestParams(RequestParams):
    """Parameters of list requests."""

    cursor: str | None = None


class NotificationParams(Wire):
    """Base of the parameters of notifications."""

    class Meta(Wire):
        """Metadata of a notification."""

    meta: Meta | None = Field(alias="_meta", default=None)


class ErrorData(Wire):
    """The `error` member of a JSON-RPC response."""

    code: int
    message: str
    data: Any | None = None


class Icon(Wire):
    """An icon for display in user interfaces."""

    src: str
    mimeType: str | None = None
    sizes: list[str] | None = None


class BaseMetadata(Wire):
    """Name for programs, title for people."""

    name: str
    title: str | None = None


class Implementation(BaseMetadata):
    """Name and version of a server or client."""

    version: str
    websiteUrl: str | None = None
    icons: list[Icon] | None = None


class Annotations(Wire):
    # For whom content is meant, and how much it matters. (No docstring: it would be the
    # description in output schemas, where the SDK has none.)
    audience: list[Role] | None = None
    priority: float | None = Field(default=None, ge=0.0, le=1.0)
