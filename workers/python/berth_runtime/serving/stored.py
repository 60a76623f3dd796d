"""Resources that are kept somewhere: a file, a folder, an address. For both SDK modules."""

import json
import pathlib

from ..model.errors import ValidationError, invalid


def absolute(kind, path):
    """Return an absolute path; raises ValidationError for any other."""
    path = pathlib.Path(path)
    if path.is_absolute():
        return path
    fault = invalid("value_error", "Value error, Path must be absolute", path)
    raise ValidationError(kind, [line.under("path") for line in fault.lines])


def is_binary(given, mime_type):
    """Return whether a file is read as bytes: when it is said, or its type is no text."""
    return bool(given) or not (mime_type or "text/plain").startswith("text/")


def read_file(resource, failure):
    """Return the contents of a file resource; raises `failure`, made of a text."""
    try:
        return resource.path.read_bytes() if resource.is_binary else resource.path.read_text()
    except Exception as error:
        raise failure(f"Error reading file {resource.path}", error) from error


def files_of(path, pattern, recursive):
    """Return what a folder holds."""
    if not path.exists():
        raise FileNotFoundError(f"Directory not found: {path}")
    if not path.is_dir():
        raise NotADirectoryError(f"Not a directory: {path}")
    return list(path.rglob(pattern or "*") if recursive else path.glob(pattern or "*"))


def read_folder(resource, failure):
    """Return the listing of a folder resource as JSON; raises `failure`, made of a text."""
    try:
        found = files_of(resource.path, resource.pattern, resource.recursive)
        names = [str(item.relative_to(resource.path)) for item in found if item.is_file()]
        return json.dumps({"files": names}, indent=2)
    except Exception as error:
        raise failure(f"Error reading directory {resource.path}", error) from error


def read_address(url):
    """Return the text that an address answers with; raises an error of `requests`."""
    import requests

    answer = requests.get(url, timeout=60)
    answer.raise_for_status()
    return answer.text
