"""Kinds of resources."""

from berth_runtime.serving import stored
from berth_runtime.serving.parameters import name_of
from berth_runtime.serving.resources import Resource


class FunctionResource(Resource):
    """A resource that a function makes."""

    @classmethod
    def from_function(cls, fn, uri, name=None, title=None, description=None, **details):
        """Make a resource of a function without parameters; raises ValueError without a name."""
        called = name or name_of(fn)
        if called == "<lambda>":
            raise ValueError("You must provide a name for lambda functions")
        return cls(uri, called, title, description or fn.__doc__ or "", fn=fn, **details)


class TextResource(Resource):
    """A resource with fixed text."""

    @property
    def text(self):
        """The text."""
        return self.value


class BinaryResource(Resource):
    """A resource with fixed bytes."""

    @property
    def data(self):
        """The bytes."""
        return self.value


def _failure(text, error):
    return ValueError(f"{text}: {error}")


class FileResource(Resource):
    """A file, read when it is asked for; as bytes unless its type is text."""

    def __init__(self, uri, path, *, is_binary=False, **details):
        super().__init__(uri, **details)
        self.path = stored.absolute("FileResource", path)
        self.is_binary = stored.is_binary(is_binary, self.mime_type)

    async def read(self, context=None):
        """Return the contents of the file; raises ValueError."""
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

    def list_files(self):
        """Return what the folder holds."""
        return stored.files_of(self.path, self.pattern, self.recursive)

    async def read(self, context=None):
        """Return the listing; raises ValueError."""
        return stored.read_folder(self, _failure)


class HttpResource(Resource):
    """What an address answers with."""

    def __init__(self, uri, url, *, mime_type="application/json", **details):
        super().__init__(uri, mime_type=mime_type, **details)
        self.url = url

    async def read(self, context=None):
        """Return the text of the answer."""
        return stored.read_address(self.url)


__all__ = [
    "BinaryResource",
    "DirectoryResource",
    "FileResource",
    "FunctionResource",
    "HttpResource",
    "TextResource",
]
