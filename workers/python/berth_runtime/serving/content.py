"""From what a handler returned to content blocks; images, sound and files."""

import mimetypes
import pathlib

from ..model.dump import base64_text, to_json


class _Media:
    """Bytes, or a path to them, with a format."""

    types = {}
    fallback = "application/octet-stream"
    unnamed = ""

    def __init__(self, path=None, data=None, format=None, **_):  # noqa: A002
        if path is None and data is None:
            raise ValueError("Either path or data must be provided")
        if path is not None and data is not None:
            raise ValueError("Only one of path or data can be provided")
        self.path = pathlib.Path(path) if path is not None else None
        self.data = data
        self._format = format
        self._mime_type = self._kind()

    def _kind(self):
        if self._format:
            return f"{self.unnamed.split('/')[0]}/{self._format.lower()}"
        if self.path is not None:
            return self.types.get(self.path.suffix.lower(), self.fallback)
        return self.unnamed

    def _base64(self):
        data = self.path.read_bytes() if self.path is not None else self.data
        return base64_text(data)


class Image(_Media):
    """An image that a tool returns."""

    types = {
        ".png": "image/png",
        ".jpg": "image/jpeg",
        ".jpeg": "image/jpeg",
        ".gif": "image/gif",
        ".webp": "image/webp",
    }
    unnamed = "image/png"

    def to_data_uri(self, mime_type=None):
        """Return the image as an address that holds it."""
        return f"data:{mime_type or self._mime_type};base64,{self._base64()}"

    def to_image_content(self, mime_type=None, annotations=None):
        """Return the image as a content block."""
        from berth_sdk.mcp.types import ImageContent

        kind = mime_type or self._mime_type
        return ImageContent(
            type="image", data=self._base64(), mimeType=kind, annotations=annotations
        )


class Audio(_Media):
    """Sound that a tool returns."""

    types = {
        ".wav": "audio/wav",
        ".mp3": "audio/mpeg",
        ".ogg": "audio/ogg",
        ".flac": "audio/flac",
        ".aac": "audio/aac",
        ".m4a": "audio/mp4",
    }
    unnamed = "audio/wav"

    def to_audio_content(self, mime_type=None, annotations=None):
        """Return the sound as a content block."""
        from berth_sdk.mcp.types import AudioContent

        kind = mime_type or self._mime_type
        return AudioContent(
            type="audio", data=self._base64(), mimeType=kind, annotations=annotations
        )


class File(_Media):
    """A file that a tool returns, as an embedded resource."""

    unnamed = "application/octet-stream"

    def __init__(self, path=None, data=None, format=None, name=None, annotations=None):  # noqa: A002
        self._name = name
        self.annotations = annotations
        super().__init__(path, data, format)

    def _kind(self):
        if self._format:
            text = self._format.lower()
            return f"text/{text}" if text in ("plain", "txt", "text") else f"application/{text}"
        if self.path is not None:
            return mimetypes.guess_type(self.path.name)[0] or self.fallback
        return self.unnamed

    def to_resource_content(self, mime_type=None, annotations=None):
        """Return the file as a content block."""
        from berth_sdk.mcp.types import BlobResourceContents, EmbeddedResource, TextResourceContents

        kind = mime_type or self._mime_type
        data = self.path.read_bytes() if self.path is not None else self.data
        address = f"file:///{self._name or 'resource'}.{kind.split('/')[1]}"
        if self.path is not None:
            address = self.path.resolve().as_uri()
        if kind.startswith("text/"):
            contents = TextResourceContents(uri=address, mimeType=kind, text=_text(data))
        else:
            contents = BlobResourceContents(uri=address, mimeType=kind, blob=base64_text(data))
        return EmbeddedResource(
            type="resource", resource=contents, annotations=annotations or self.annotations
        )


def _text(data):
    return data.decode() if isinstance(data, bytes) else data


def block_of(value):
    """Return the content block that a value is or wraps, else None."""
    from berth_sdk.mcp import types

    if isinstance(
        value,
        (
            types.TextContent,
            types.ImageContent,
            types.AudioContent,
            types.ResourceLink,
            types.EmbeddedResource,
        ),
    ):
        return value
    if isinstance(value, Image):
        return value.to_image_content()
    if isinstance(value, Audio):
        return value.to_audio_content()
    if isinstance(value, File):
        return value.to_resource_content()
    return None


def text_block(text):
    """Return text as a content block."""
    from berth_sdk.mcp.types import TextContent

    return TextContent(type="text", text=text)


def blocks_of(value):
    """Return content blocks for a result: one for each item of a list, as the official SDK does."""
    return [text_block(part) if isinstance(part, str) else part for part in _parts(value)]


def wire_blocks(value):
    """Return what `blocks_of` does as it goes over the wire, without a model of each text."""
    return [
        {"type": "text", "text": part}
        if type(part) is str
        else wire(text_block(part) if isinstance(part, str) else part)
        for part in _parts(value)
    ]


def _parts(value):
    """Return the blocks and texts of a result."""
    if value is None:
        return []
    if isinstance(value, str):
        return [value]
    block = block_of(value)
    if block is not None:
        return [block]
    if isinstance(value, (list, tuple)):
        return [part for item in value for part in _parts(item)]
    return [to_json(value, indent=2, fallback=str)]


def wire(model):
    """Return a model as the dictionary that goes over the wire."""
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)
