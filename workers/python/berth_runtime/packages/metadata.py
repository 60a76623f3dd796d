"""Package metadata (`importlib.metadata`) of the SDKs and of the server's own project."""

import importlib.metadata
import os
import re

from .. import packages, state

_SDK = {"mcp": "1.29.0", "fastmcp": "2.14.5"}
_MARKS = ("pyproject.toml", "setup.cfg", "setup.py")
_ASSIGNED = r"""^\s*%s\s*=\s*["']([^"']+)["']"""


class Known(importlib.metadata.Distribution):
    """A distribution of which only name and version are known."""

    def __init__(self, name, version):
        self._texts = {
            "METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        }

    def read_text(self, filename):
        """Return a file of the metadata, or None."""
        return self._texts.get(filename)

    def locate_file(self, path):
        """Return where a file of the distribution would be."""
        return os.path.join("/", path)


def distributions(name, folder):
    """Return the known distributions of a name (all with None)."""
    found = [Known(key, version) for key, version in _versions().items() if _is(key, name)]
    own = project(folder)
    if own is not None and _is(own[0], name) and normal(own[0]) not in _SDK:
        from .own_project import Project

        found.append(Project(folder, *own))
    return found


def _versions():
    known = dict(_SDK)
    if state.session.profile != "restricted":
        for key, facts in packages.catalogue().items():
            # One that was taken has all of its metadata.
            if not packages.is_taken(key):
                known[key] = facts["version"]
    return known


def _is(key, name):
    return name is None or normal(key) == normal(name)


def project_folder(root, folder):
    """Return the nearest folder, from `folder` up to the root, that is a Python project."""
    from ..profile import trusted

    with trusted():
        while folder != root and folder.startswith(root):
            if any(os.path.exists(os.path.join(folder, mark)) for mark in _MARKS):
                return folder
            folder = os.path.dirname(folder)
    return root


def project(folder):
    """Return name and version of the project in a folder, or None."""
    found = _project_table(table_of(folder))
    name = found.get("name")
    if name:
        return str(name), str(found.get("version") or _dynamic_version(folder))
    text = read_text(folder, "setup.cfg") or read_text(folder, "setup.py")
    name = re.search(r"""^\s*name\s*=\s*["']?([\w.-]+)""", text, re.M)
    version = re.search(r"""^\s*version\s*=\s*["']?([\w.+-]+)["']?\s*,?$""", text, re.M)
    return (name[1], version[1] if version else "0.0.0") if name else None


def scripts(folder):
    """Return the console scripts that a project declares: name and target."""
    found = _project_table(table_of(folder)).get("scripts") or {}
    return {str(key): str(target) for key, target in found.items()}


def _project_table(table):
    return table.get("project") or table.get("tool", {}).get("poetry") or {}


def _dynamic_version(folder):
    """Return a version that the build would take out of a module, or 0.0.0."""
    tools = table_of(folder).get("tool", {})
    path = tools.get("hatch", {}).get("version", {}).get("path")
    dynamic = tools.get("setuptools", {}).get("dynamic", {}).get("version", {})
    attribute = dynamic.get("attr", "") if isinstance(dynamic, dict) else ""
    module, _, name = attribute.rpartition(".")
    places = [(path, "__version__")] if path else []
    for start in ("src/", ""):
        for end in (".py", "/__init__.py"):
            places.append((f"{start}{module.replace('.', '/')}{end}", name))
    for place, variable in places:
        found = re.search(_ASSIGNED % re.escape(variable), read_text(folder, place), re.M)
        if found and variable:
            return found[1]
    return "0.0.0"


def read_text(folder, name):
    """Return the text of a file in a folder, empty when there is none."""
    from ..profile import trusted

    try:
        with trusted():
            with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                return file.read()
    except OSError:
        return ""


def table_of(folder):
    """Return the parsed `pyproject.toml`, empty when there is none or it is broken."""
    import tomllib

    try:
        return tomllib.loads(read_text(folder, "pyproject.toml"))
    except ValueError:
        return {}


def normal(name):
    """Return a name as packages are compared by."""
    return re.sub(r"[-_.]+", "-", name).lower()
