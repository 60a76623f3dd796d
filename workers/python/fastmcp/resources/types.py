"""Kinds of resources of FastMCP."""

from berth_runtime.serving import stored

from ..exceptions import ResourceError
from .resource import FunctionResource, Resource, TextResource


def _failure(text, _error):
    return ResourceError(text)


class BinaryResource(Resource):
    """A resource of fixed bytes."""


class FileResource(Resource):
    """A file, read when it is asked for; as bytes unless its type is text."""

    def __init__(self, uri, path, *, is_binary=False, **details):
        super().__init__(uri, **details)
        self.path = stored.absolute("FileResource", path)
        self.is_binary = stored.is_binary(is_binary, self.mime_type)

    async def read(self):
        """Return the contents of the file; raises ResourceError."""
        return stored.read_file(self, _failure)


class DirectoryResource(Resource):
    """A folder: the list of its files as JSON."""

    def __init__(
        self, uri, path, *, recursive=False, pattern=None, mime_type="application/json", **details
    ):
        super().__init__(uri, mime_type=mime_type, **details)
        self.path = stored.absolute("DirectoryResource", path)
        self.recursive = recursive
        self.pattern = pattern

    async def list_files(self):
        """Return the files of the folder."""
        found = stored.files_of(self.path, self.pattern, self.recursive)
        return [item for item in found if item.is_file()]

    async def read(self):
        """Return the listing; raises ResourceError."""
        return stored.read_folder(self, _failure)


class HttpResource(Resource):
    """What an address answers with."""

    def __init__(self, uri, url, *, mime_type="application/json", **details):
        super().__init__(uri, mime_type=mime_type, **details)
        self.url = url

    async def read(self):
        """Return the text of the answer."""
        return stored.read_address(self.url)


__all__ = [
    "BinaryResource",
    "DirectoryResource",
    "FileResource",
    "FunctionResource",
    "HttpResource",
    "Resource",
    "TextResource",
]
