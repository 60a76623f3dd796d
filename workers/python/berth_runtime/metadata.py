"""Package metadata (`importlib.metadata`) of the SDKs and of the server's own project."""

import importlib.metadata
import os
import re

from . import packages, state

_SDK = {"mcp": "1.29.0", "fastmcp": "2.14.5"}


class Known(importlib.metadata.Distribution):
    """A distribution of which only name and version are known."""

    def __init__(self, name, version):
        self._text = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"

    def read_text(self, filename):
        """Return the METADATA file; there are no others."""
        return self._text if filename == "METADATA" else None

    def locate_file(self, path):
        """Return where a file of the distribution would be."""
        return os.path.join("/", path)


def distributions(name, root):
    """Return the known distributions of a name (all with None)."""
    known = dict(_SDK)
    if state.session.profile != "restricted":
        for key, facts in packages.catalogue().items():
            known[key] = facts["version"]
    own = project(root)
    if own is not None:
        known.setdefault(own[0], own[1])
    return [
        Known(key, version)
        for key, version in known.items()
        if name is None or _normal(key) == _normal(name)
    ]


def project(root):
    """Return name and version from the project's `pyproject.toml`, or None."""
    table = table_of(root)
    found = table.get("project") or table.get("tool", {}).get("poetry") or {}
    name = found.get("name")
    return (str(name), str(found.get("version", "0.0.0"))) if name else None


def table_of(root):
    """Return the parsed `pyproject.toml`, empty when there is none or it is broken."""
    import tomllib

    from .profile import trusted

    try:
        with trusted():
            with open(os.path.join(root, "pyproject.toml"), "rb") as file:
                return tomllib.load(file)
    except OSError, ValueError:
        return {}


def _normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()
