"""Content blocks and the contents of resources."""

from typing import Any, Literal

from berth_runtime.model import Field, Url

from .base import Annotations, BaseMetadata, Icon, Role, Wire


class TextContent(Wire):
    """Text content for a message."""

    type: Literal["text"]
    text: str
    annotations: Annotations | None = None
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)


class ImageContent(Wire):
    """Image content for a message."""

    type: Literal["image"]
    data: str
    mimeType: str
    annotations: Annotations | None = None
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)


class AudioContent(Wire):
    """Audio content for a message."""

    type: Literal["audio"]
    data: str
    mimeType: str
    annotations: Annotations | None = None
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)


class ResourceContents(Wire):
    """Base of the contents of a resource."""

    uri: Url
    mimeType: str | None = None
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)


class TextResourceContents(ResourceContents):
    """Text contents of a resource."""

    text: str


class BlobResourceContents(ResourceContents):
    """Binary contents of a resource."""

    blob: str


class EmbeddedResource(Wire):
    """The contents of a resource inside a result or prompt."""

    type: Literal["resource"]
    resource: TextResourceContents | BlobResourceContents
    annotations: Annotations | None = None
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)


class Resource(BaseMetadata):
    """A resource that can be read."""

    uri: Url
    description: str | None = None
    mimeType: str | None = None
    size: int | None = None
    icons: list[Icon] | None = None
    annotations: Annotations | None = None
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)


class ResourceLink(Resource):
    """A link to a resource inside a result or prompt."""

    type: Literal["resource_link"]


class ToolUseContent(Wire):
    """A model's wish to use a tool, in sampling."""

    type: Literal["tool_use"]
    name: str
    id: str
    input: dict[str, Any]
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)


class ToolResultContent(Wire):
    """What a tool returned, in sampling."""

    type: Literal["tool_result"]
    toolUseId: str
    content: "list[ContentBlock]" = []
    structuredContent: dict[str, Any] | None = None
    isError: bool | None = None
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)


ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource
Content = ContentBlock
SamplingContent = TextContent | ImageContent | AudioContent
SamplingMessageContentBlock = (
    TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent
)


class PromptMessage(Wire):
    """A message of a prompt."""

    role: Role
    content: ContentBlock


class SamplingMessage(Wire):
    """A message of a sampling request."""

    role: Role
    content: SamplingMessageContentBlock | list[SamplingMessageContentBlock]
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)

    @property
    def content_as_list(self):
        """The content as a list, also when it is one block."""
        return self.content if isinstance(self.content, list) else [self.content]
