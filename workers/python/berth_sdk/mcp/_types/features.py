"""Tools, resources, prompts, completion: what a server offers, and the results of asking."""

from typing import Any, Literal

from berth_runtime.model import Field, Url

from .base import (
    Annotations,
    BaseMetadata,
    Icon,
    NotificationParams,
    PaginatedResult,
    RequestParams,
    Result,
    Wire,
)
from .content import (
    BlobResourceContents,
    ContentBlock,
    PromptMessage,
    Resource,
    TextResourceContents,
)


class ToolAnnotations(Wire):
    """Hints about a tool's behaviour."""

    title: str | None = None
    readOnlyHint: bool | None = None
    destructiveHint: bool | None = None
    idempotentHint: bool | None = None
    openWorldHint: bool | None = None


class ToolExecution(Wire):
    """How a tool may be run."""

    taskSupport: Literal["forbidden", "optional", "required"] | None = None


class Tool(BaseMetadata):
    """A tool as it is listed."""

    description: str | None = None
    inputSchema: dict[str, Any]
    outputSchema: dict[str, Any] | None = None
    icons: list[Icon] | None = None
    annotations: ToolAnnotations | None = None
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)
    execution: ToolExecution | None = None


class ListToolsResult(PaginatedResult):
    """Result of tools/list."""

    tools: list[Tool]


class CallToolResult(Result):
    """Result of tools/call."""

    content: list[ContentBlock]
    structuredContent: dict[str, Any] | None = None
    isError: bool = False


class CallToolRequestParams(RequestParams):
    """Parameters of tools/call."""

    name: str
    arguments: dict[str, Any] | None = None


class ResourceTemplate(BaseMetadata):
    """A family of resources with parameters in its address."""

    uriTemplate: str
    description: str | None = None
    mimeType: str | None = None
    icons: list[Icon] | None = None
    annotations: Annotations | None = None
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)


class ListResourcesResult(PaginatedResult):
    """Result of resources/list."""

    resources: list[Resource]


class ListResourceTemplatesResult(PaginatedResult):
    """Result of resources/templates/list."""

    resourceTemplates: list[ResourceTemplate]


class ReadResourceResult(Result):
    """Result of resources/read."""

    contents: list[TextResourceContents | BlobResourceContents]


class PromptArgument(Wire):
    """An argument of a prompt."""

    name: str
    description: str | None = None
    required: bool | None = None


class Prompt(BaseMetadata):
    """A prompt as it is listed."""

    description: str | None = None
    arguments: list[PromptArgument] | None = None
    icons: list[Icon] | None = None
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)


class ListPromptsResult(PaginatedResult):
    """Result of prompts/list."""

    prompts: list[Prompt]


class GetPromptResult(Result):
    """Result of prompts/get."""

    description: str | None = None
    messages: list[PromptMessage]


class ResourceTemplateReference(Wire):
    """Names a resource template in a completion request."""

    type: Literal["ref/resource"]
    uri: str


class ResourceReference(ResourceTemplateReference):
    """The same under its earlier name."""


class PromptReference(Wire):
    """Names a prompt in a completion request."""

    type: Literal["ref/prompt"]
    name: str


class CompletionArgument(Wire):
    """The argument that is being completed."""

    name: str
    value: str


class CompletionContext(Wire):
    """Arguments that are already known."""

    arguments: dict[str, str] | None = None


class Completion(Wire):
    """Suggestions."""

    values: list[str]
    total: int | None = None
    hasMore: bool | None = None


class CompleteRequestParams(RequestParams):
    """Parameters of completion/complete."""

    ref: ResourceTemplateReference | PromptReference
    argument: CompletionArgument
    context: CompletionContext | None = None


class CompleteResult(Result):
    """Result of completion/complete."""

    completion: Completion


class ReadResourceRequestParams(RequestParams):
    """Parameters of resources/read."""

    uri: Url


class SubscribeRequestParams(RequestParams):
    """Parameters of resources/subscribe."""

    uri: Url


class UnsubscribeRequestParams(RequestParams):
    """Parameters of resources/unsubscribe."""

    uri: Url


class ResourceUpdatedNotificationParams(NotificationParams):
    """Parameters of notifications/resources/updated."""

    uri: Url


class GetPromptRequestParams(RequestParams):
    """Parameters of prompts/get."""

    name: str
    arguments: dict[str, str] | None = None
