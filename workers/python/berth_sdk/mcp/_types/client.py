"""Capabilities, and what a server may ask of its client: sampling, elicitation, roots."""

from typing import Any, Literal

from berth_runtime.model import Field, Url

from .base import (
    Implementation,
    IncludeContext,
    LoggingLevel,
    NotificationParams,
    RequestId,
    RequestParams,
    Result,
    Role,
    StopReason,
    Wire,
)
from .content import SamplingContent, SamplingMessage, SamplingMessageContentBlock
from .features import Tool
from .tasks import ClientTasksCapability, ServerTasksCapability


class RootsCapability(Wire):
    """Whether the client reports changes of its roots."""

    listChanged: bool | None = None


class SamplingContextCapability(Wire):
    """The client can add context of servers."""


class SamplingToolsCapability(Wire):
    """The client's model can use tools."""


class SamplingCapability(Wire):
    """What the client can do when sampling."""

    context: SamplingContextCapability | None = None
    tools: SamplingToolsCapability | None = None


class FormElicitationCapability(Wire):
    """The client shows forms."""


class UrlElicitationCapability(Wire):
    """The client opens addresses."""


class ElicitationCapability(Wire):
    """Which kinds of elicitation the client offers."""

    form: FormElicitationCapability | None = None
    url: UrlElicitationCapability | None = None


class ClientCapabilities(Wire):
    """What a client can do."""

    experimental: dict[str, dict[str, Any]] | None = None
    sampling: SamplingCapability | None = None
    elicitation: ElicitationCapability | None = None
    roots: RootsCapability | None = None
    tasks: ClientTasksCapability | None = None


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
    tasks: ServerTasksCapability | None = None


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
    includeContext: IncludeContext | None = None
    temperature: float | None = None
    maxTokens: int
    stopSequences: list[str] | None = None
    metadata: dict[str, Any] | None = None
    tools: list[Tool] | None = None
    toolChoice: ToolChoice | None = None


class CreateMessageResult(Result):
    """What the client's model said."""

    role: Role
    content: SamplingContent
    model: str
    stopReason: StopReason | None = None


class CreateMessageResultWithTools(Result):
    """What the client's model said, or which tools it wants to use."""

    role: Role
    content: SamplingMessageContentBlock | list[SamplingMessageContentBlock]
    model: str
    stopReason: StopReason | None = None

    @property
    def content_as_list(self):
        """The content as a list, also when it is one block."""
        return self.content if isinstance(self.content, list) else [self.content]


class ElicitRequestFormParams(RequestParams):
    """Parameters of elicitation/create: a form."""

    mode: Literal["form"] = "form"
    message: str
    requestedSchema: dict[str, Any]


class ElicitRequestURLParams(RequestParams):
    """Parameters of elicitation/create: an address to visit."""

    mode: Literal["url"] = "url"
    message: str
    url: str
    elicitationId: str


ElicitRequestParams = ElicitRequestURLParams | ElicitRequestFormParams


class ElicitationRequiredErrorData(Wire):
    """Data of the error that asks the user to visit addresses first."""

    elicitations: list[ElicitRequestURLParams]


class ElicitResult(Result):
    """What the user answered."""

    action: Literal["accept", "decline", "cancel"]
    content: dict[str, str | int | float | bool | list[str] | None] | None = None


class ElicitCompleteNotificationParams(NotificationParams):
    """Parameters of notifications/elicitation/complete."""

    elicitationId: str


class CancelledNotificationParams(NotificationParams):
    """Parameters of notifications/cancelled."""

    requestId: RequestId | None = None
    reason: str | None = None


class Root(Wire):
    """A folder or file that the client offers to work on."""

    uri: Url
    name: str | None = None
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)


class ListRootsResult(Result):
    """Result of roots/list."""

    roots: list[Root]


class SetLevelRequestParams(RequestParams):
    """Parameters of logging/setLevel."""

    level: LoggingLevel


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
