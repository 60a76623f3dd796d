"""Resources that are kept somewhere: a file, a folder, an address. Both SDK modules add theirs."""

import json
import pathlib

from ..model.errors import ValidationError, invalid


def _absolute(kind, path):
    """Return an absolute path; raises ValidationError for any other."""
    path = pathlib.Path(path)
    if path.is_absolute():
        return path
    fault = invalid("value_error", "Value error, Path must be absolute", path)
    raise ValidationError(kind, [line.under("path") for line in fault.lines])


class StoredFile:
    """A file, read when it is asked for; as bytes when that is said or its type is no text."""

    def __init__(self, uri, path, *, is_binary=False, **details):
        super().__init__(uri, **details)
        self.path = _absolute("FileResource", path)
        is_text = (self.mime_type or "text/plain").startswith("text/")
        self.is_binary = bool(is_binary) or not is_text

    async def read(self, context=None):
        """Return the contents of the file; raises what `_failure` makes of a text and an error."""
        try:
            return self.path.read_bytes() if self.is_binary else self.path.read_text()
        except Exception as error:
            raise self._failure(f"Error reading file {self.path}", error) from error


class StoredFolder:
    """A folder: the list of its files as JSON."""

    def __init__(
        self, uri, path, *, recursive=False, pattern=None, mime_type="application/json", **details
    ):
        super().__init__(uri, mime_type=mime_type, **details)
        self.path = _absolute("DirectoryResource", path)
        self.recursive = recursive
        self.pattern = pattern

    def held(self):
        """Return what the folder holds."""
        path, pattern = self.path, self.pattern or "*"
        if not path.exists():
            raise FileNotFoundError(f"Directory not found: {path}")
        if not path.is_dir():
            raise NotADirectoryError(f"Not a directory: {path}")
        return list(path.rglob(pattern) if self.recursive else path.glob(pattern))

    async def read(self, context=None):
        """Return the listing; raises what `_failure` makes of a text and an error."""
        try:
            names = [str(item.relative_to(self.path)) for item in self.held() if item.is_file()]
            return json.dumps({"files": names}, indent=2)
        except Exception as error:
            raise self._failure(f"Error reading directory {self.path}", error) from error


class StoredElsewhere:
    """What an address answers with."""

    def __init__(self, uri, url, *, mime_type="application/json", **details):
        super().__init__(uri, mime_type=mime_type, **details)
        self.url = url

    async def read(self, context=None):
        """Return the text of the answer; raises an error of `requests`."""
        import requests

        answer = requests.get(self.url, timeout=60)
        answer.raise_for_status()
        return answer.text
