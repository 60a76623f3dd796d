"""Capabilities, and what a server may ask of its client: sampling, elicitation, roots."""

from typing import Any, Literal

from berth_runtime.model import Field, Url

from .base import Implementation, LoggingLevel, NotificationParams, RequestParams, Result, Wire
from .content import SamplingMessage, SamplingMessageContentBlock
from .features import Tool


class RootsCapability(Wire):
    """Whether the client reports changes of its roots."""

    listChanged: bool | None = None


class SamplingCapability(Wire):
    """What the client can do when sampling."""

    context: dict[str, Any] | None = None
    tools: dict[str, Any] | None = None


class ElicitationCapability(Wire):
    """Which kinds of elicitation the client offers."""

    form: dict[str, Any] | None = None
    url: dict[str, Any] | None = None


class ClientCapabilities(Wire):
    """What a client can do."""

    experimental: dict[str, dict[str, Any]] | None = None
    sampling: SamplingCapability | None = None
    elicitation: ElicitationCapability | None = None
    roots: RootsCapability | None = None


class PromptsCapability(Wire):
    """Prompts."""

    listChanged: bool | None = None


class ResourcesCapability(Wire):
    """Resources."""

    subscribe: bool | None = None
    listChanged: bool | None = None


class ToolsCapability(Wire):
    """Tools."""

    listChanged: bool | None = None


class LoggingCapability(Wire):
    """Logging."""


class CompletionsCapability(Wire):
    """Completion."""


class ServerCapabilities(Wire):
    """What a server can do."""

    experimental: dict[str, dict[str, Any]] | None = None
    logging: LoggingCapability | None = None
    prompts: PromptsCapability | None = None
    resources: ResourcesCapability | None = None
    tools: ToolsCapability | None = None
    completions: CompletionsCapability | None = None


class InitializeResult(Result):
    """Result of initialize."""

    protocolVersion: str | int
    capabilities: ServerCapabilities
    serverInfo: Implementation
    instructions: str | None = None


class InitializeRequestParams(RequestParams):
    """Parameters of initialize."""

    protocolVersion: str | int
    capabilities: ClientCapabilities
    clientInfo: Implementation


class ModelHint(Wire):
    """A hint about the model to use."""

    name: str | None = None


class ModelPreferences(Wire):
    """What matters when the client chooses a model."""

    hints: list[ModelHint] | None = None
    costPriority: float | None = None
    speedPriority: float | None = None
    intelligencePriority: float | None = None


class ToolChoice(Wire):
    """Whether a sampled model may or must use tools."""

    mode: Literal["auto", "required", "none"] | None = None


class CreateMessageRequestParams(RequestParams):
    """Parameters of sampling/createMessage."""

    messages: list[SamplingMessage]
    modelPreferences: ModelPreferences | None = None
    systemPrompt: str | None = None
    includeContext: Literal["none", "thisServer", "allServers"] | None = None
    temperature: float | None = None
    maxTokens: int
    stopSequences: list[str] | None = None
    metadata: dict[str, Any] | None = None
    tools: list[Tool] | None = None
    toolChoice: ToolChoice | None = None


class CreateMessageResult(Result):
    """What the client's model said."""

    role: Literal["user", "assistant"]
    content: SamplingMessageContentBlock | list[SamplingMessageContentBlock]
    model: str
    stopReason: str | None = None


class ElicitResult(Result):
    """What the user answered."""

    action: Literal["accept", "decline", "cancel"]
    content: dict[str, Any] | None = None


class Root(Wire):
    """A folder or file that the client offers to work on."""

    uri: Url
    name: str | None = None
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)


class ListRootsResult(Result):
    """Result of roots/list."""

    roots: list[Root]


class LoggingMessageNotificationParams(NotificationParams):
    """Parameters of notifications/message."""

    level: LoggingLevel
    logger: str | None = None
    data: Any


class ProgressNotificationParams(NotificationParams):
    """Parameters of notifications/progress."""

    progressToken: str | int
    progress: float
    total: float | None = None
    message: str | None = None
