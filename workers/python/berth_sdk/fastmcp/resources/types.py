"""Kinds of resources of FastMCP."""

from berth_runtime.serving import stored

from ..exceptions import ResourceError
from .resource import FunctionResource, Resource, TextResource


def _failure(text, _error):
    return ResourceError(text)


class BinaryResource(Resource):
    """A resource of fixed bytes."""


class FileResource(stored.StoredFile, Resource):
    """A file, read when it is asked for; raises ResourceError."""

    _failure = staticmethod(_failure)


class DirectoryResource(stored.StoredFolder, Resource):
    """A folder: the list of its files as JSON; raises ResourceError."""

    _failure = staticmethod(_failure)

    async def list_files(self):
        """Return the files of the folder."""
        return [item for item in self.held() if item.is_file()]


class HttpResource(stored.StoredElsewhere, Resource):
    """What an address answers with."""


__all__ = [
    "BinaryResource",
    "DirectoryResource",
    "FileResource",
    "FunctionResource",
    "HttpResource",
    "Resource",
    "TextResource",
]
