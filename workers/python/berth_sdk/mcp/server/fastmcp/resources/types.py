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


class FileResource(stored.StoredFile, Resource):
    """A file, read when it is asked for; raises ValueError."""

    _failure = staticmethod(_failure)


class DirectoryResource(stored.StoredFolder, Resource):
    """A folder: the list of its files as JSON; raises ValueError."""

    _failure = staticmethod(_failure)

    def list_files(self):
        """Return what the folder holds."""
        return self.held()


class HttpResource(stored.StoredElsewhere, Resource):
    """What an address answers with."""


__all__ = [
    "BinaryResource",
    "DirectoryResource",
    "FileResource",
    "FunctionResource",
    "HttpResource",
    "TextResource",
]
