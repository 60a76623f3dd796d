"""What `importlib.metadata` says of the server's own project, as if it were installed."""

import configparser
import importlib.metadata
import os
import pathlib
import re

from . import metadata, requirements

_URLS = {"homepage": "Homepage", "repository": "Repository", "documentation": "Documentation"}
_FILES_MAX = 5000
_SKIPPED = {"__pycache__", "node_modules", "tests", "test", "docs", "dist", "build"}


class Project(importlib.metadata.Distribution):
    """The project in a folder: its metadata, entry points and files are read when asked for."""

    def __init__(self, folder, name, version):
        self._folder = folder
        self._facts = {"name": name, "version": version}

    def read_text(self, filename):
        """Return a file of the metadata, or None."""
        made = {
            "METADATA": self._metadata,
            "entry_points.txt": self._entry_points,
            "RECORD": lambda: "\n".join(f"{path},," for path in self._files()),
            "top_level.txt": lambda: "\n".join(self._modules()),
        }
        return made[filename]() if filename in made else None

    def locate_file(self, path):
        """Return where a file of the distribution is."""
        return pathlib.Path(self._base(), path)

    def _metadata(self):
        try:
            fields = [(key, value) for key, value in _fields(self._folder, self._facts) if value]
            readme = _readme(self._folder)
        except AttributeError, KeyError, TypeError, ValueError:
            # Of a manifest that no tool could build from.
            fields, readme = (
                [("Name", self._facts["name"]), ("Version", self._facts["version"])],
                "",
            )
        lines = [f"{key}: {re.sub(r'[\r\n]+', ' ', str(value))}" for key, value in fields]
        return "\n".join(["Metadata-Version: 2.4", *lines, "", readme])

    def _entry_points(self):
        groups = _entry_point_groups(self._folder)
        lines = []
        for group, points in groups.items():
            lines += [f"[{group}]", *(f"{name} = {target}" for name, target in points.items())]
        return "\n".join(lines) or None

    def _base(self):
        inner = os.path.join(self._folder, "src")
        return inner if os.path.isdir(inner) else self._folder

    def _modules(self):
        """Return the names of the project's own top-level packages and modules."""
        named = metadata.normal(self._facts["name"]).replace("-", "_")
        found = []
        for entry in sorted(os.listdir(self._base())):
            path = os.path.join(self._base(), entry)
            if os.path.isfile(os.path.join(path, "__init__.py")) and entry not in _SKIPPED:
                found.append(entry)
            elif entry == f"{named}.py":
                found.append(named)
        return [named] if named in found and self._base() == self._folder else found

    def _files(self):
        from ..profile import trusted

        base, found = self._base(), []
        with trusted():
            for module in self._modules():
                if os.path.isfile(os.path.join(base, f"{module}.py")):
                    found.append(f"{module}.py")
                for folder, inner, names in os.walk(os.path.join(base, module)):
                    inner[:] = sorted(name for name in inner if name != "__pycache__")
                    paths = (os.path.join(folder, name) for name in sorted(names))
                    found += [os.path.relpath(path, base) for path in paths]
        return found[:_FILES_MAX]


def _fields(folder, facts):
    """Yield the fields of the metadata: name and value."""
    yield "Name", facts["name"]
    yield "Version", facts["version"]
    table = metadata.table_of(folder)
    project, poetry = table.get("project") or {}, table.get("tool", {}).get("poetry") or {}
    config = _config(folder)
    own = config["metadata"] if "metadata" in config else {}
    options = config["options"] if "options" in config else {}
    given = {**own, **poetry, **project}
    yield "Summary", given.get("description") or given.get("summary")
    keywords = given.get("keywords")
    yield "Keywords", ",".join(keywords) if isinstance(keywords, list) else keywords
    yield from _people(given)
    license_ = given.get("license")
    is_plain = isinstance(license_, str)
    yield (
        "License-Expression" if is_plain and project else "License",
        (license_ if is_plain else (license_ or {}).get("text")),
    )
    for classifier in given.get("classifiers") or ():
        if isinstance(given.get("classifiers"), list):
            yield "Classifier", classifier
    yield from _urls(project, poetry, own)
    python = poetry.get("dependencies", {}).get("python") if poetry else None
    yield (
        "Requires-Python",
        (
            project.get("requires-python")
            or options.get("python_requires")
            or (_spec(python) if isinstance(python, str) else None)
        ),
    )
    for line in [*_required(project, poetry, options, folder)]:
        yield "Requires-Dist", line
    for extra, lines in (project.get("optional-dependencies") or {}).items():
        yield "Provides-Extra", extra
        for line in lines:
            plain, mark, marker = str(line).partition(";")
            also = f"({marker.strip()}) and " if mark else ""
            yield "Requires-Dist", f'{plain.strip()}; {also}extra == "{extra}"'
    kind = "text/markdown" if _readme_path(folder).lower().endswith(".md") else None
    yield "Description-Content-Type", kind


def _people(given):
    for role in ("author", "maintainer"):
        people = given.get(f"{role}s") or []
        plain = [str(it) for it in people if not isinstance(it, dict)]
        names = [it["name"] for it in people if isinstance(it, dict) and "email" not in it]
        mails = [
            f"{it.get('name', '')} <{it['email']}>".strip()
            for it in people
            if isinstance(it, dict) and "email" in it
        ]
        yield role.title(), ", ".join([*names, *plain]) or given.get(role)
        yield f"{role.title()}-email", ", ".join(mails) or given.get(f"{role}_email")


def _urls(project, poetry, own):
    for name, address in (project.get("urls") or poetry.get("urls") or {}).items():
        yield "Project-URL", f"{name}, {address}"
    for key, label in _URLS.items():
        if isinstance(poetry.get(key), str):
            yield "Project-URL", f"{label}, {poetry[key]}"
    yield "Home-page", own.get("url")


def _required(project, poetry, options, folder):
    """Yield the requirements of a project as PEP 508 texts."""
    if isinstance(project.get("dependencies"), list):
        yield from (str(line) for line in project["dependencies"])
    elif poetry:
        for name, wanted in (poetry.get("dependencies") or {}).items():
            if name == "python":
                continue
            spec = wanted if isinstance(wanted, str) else (wanted or {}).get("version", "")
            yield f"{name}{_spec(spec)}"
    elif "install_requires" in options:
        yield from (
            line.strip() for line in options["install_requires"].split("\n") if line.strip()
        )
    elif "dependencies" in (project.get("dynamic") or ()):
        lines = metadata.read_text(folder, "requirements.txt").split("\n")
        plain = (re.sub(r"(^|\s)#.*", "", line).strip() for line in lines)
        yield from (line for line in plain if line and line[0] not in "-.")


def _spec(wanted):
    """Return Poetry's way to name versions in that of Python's packages."""
    if wanted in ("", "*"):
        return ""
    clauses = requirements.clauses(f"=={wanted}" if re.match(r"\d", wanted) else wanted)
    return ",".join(f"{sign}{version}" for sign, version in clauses)


def _config(folder):
    config = configparser.ConfigParser(interpolation=None)
    try:
        config.read_string(metadata.read_text(folder, "setup.cfg"))
    except configparser.Error:
        return {}
    return {name: dict(config[name]) for name in config.sections()}


def _entry_point_groups(folder):
    table = metadata.table_of(folder)
    project, poetry = table.get("project") or {}, table.get("tool", {}).get("poetry") or {}
    groups = {"console_scripts": metadata.scripts(folder)}
    groups["gui_scripts"] = project.get("gui-scripts") or {}
    groups.update(project.get("entry-points") or poetry.get("plugins") or {})
    for group, text in _config(folder).get("options.entry_points", {}).items():
        pairs = (line.partition("=") for line in text.split("\n") if "=" in line)
        groups.setdefault(group, {}).update({a.strip(): b.strip() for a, _, b in pairs})
    return {str(name): points for name, points in groups.items() if points}


def _readme_path(folder):
    table = metadata.table_of(folder)
    given = (table.get("project") or table.get("tool", {}).get("poetry") or {}).get("readme")
    given = given.get("file") if isinstance(given, dict) else given
    return given if isinstance(given, str) else ""


def _readme(folder):
    path = _readme_path(folder)
    return metadata.read_text(folder, path) if path else ""
