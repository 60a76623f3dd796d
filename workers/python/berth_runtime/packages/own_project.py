"""What `importlib.metadata` says of the server's own project, as if it were installed."""

import importlib.metadata
import os
import pathlib
import re

from . import metadata, requirements
from .setup_script import requirement_lines

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
    setup = metadata.setup_facts(folder)
    given = {**setup, **poetry, **project}
    yield "Summary", given.get("description")
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
    yield from _urls(project, poetry, setup)
    python = poetry.get("dependencies", {}).get("python") if poetry else None
    yield (
        "Requires-Python",
        (
            project.get("requires-python")
            or setup.get("python_requires")
            or (_spec(python) if isinstance(python, str) else None)
        ),
    )
    for line in [*_required(table, setup, folder)]:
        yield "Requires-Dist", line
    for extra, lines in _extras(project, poetry, setup).items():
        # setuptools takes markers of this form: an extra, a condition, or both.
        extra, _, condition = str(extra).partition(":")
        if extra:
            yield "Provides-Extra", extra
        for line in lines:
            plain, mark, marker = str(line).partition(";")
            conditions = [f"({it.strip()})" for it in (marker, condition) if it.strip()]
            conditions += [f'extra == "{extra}"'] if extra else []
            yield "Requires-Dist", f"{plain.strip()}; {' and '.join(conditions)}"
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


def _urls(project, poetry, setup):
    urls = project.get("urls") or poetry.get("urls") or setup.get("project_urls") or {}
    for name, address in urls.items():
        yield "Project-URL", f"{name}, {address}"
    for key, label in _URLS.items():
        if isinstance(poetry.get(key), str):
            yield "Project-URL", f"{label}, {poetry[key]}"
    yield "Home-page", setup.get("url")


def _required(table, setup, folder):
    """Yield the requirements of a project as PEP 508 texts."""
    project, tools = table.get("project") or {}, table.get("tool", {})
    poetry = tools.get("poetry") or {}
    if isinstance(project.get("dependencies"), list):
        yield from (str(line) for line in project["dependencies"])
    elif poetry:
        for name, way in _poetry_ways(poetry):
            if not way.get("optional"):
                yield _poetry_line(name, way)
    elif "dependencies" in (project.get("dynamic") or ()) and not setup.get("install_requires"):
        dynamic = tools.get("setuptools", {}).get("dynamic", {}).get("dependencies", {})
        paths = dynamic.get("file") or "requirements.txt"
        paths = [paths] if isinstance(paths, str) else paths
        yield from requirement_lines(folder, f"file: {','.join(paths)}")
    else:
        yield from setup.get("install_requires", ())


def _extras(project, poetry, setup):
    """Return the requirements of each extra."""
    if project:
        return project.get("optional-dependencies") or {}
    if not poetry:
        return setup.get("extras_require", {})
    ways = _poetry_ways(poetry)
    return {
        extra: [
            _poetry_line(name, way)
            for wanted in names
            for name, way in ways
            if metadata.normal(name) == metadata.normal(str(wanted)) and way.get("optional")
        ]
        for extra, names in (poetry.get("extras") or {}).items()
    }


def _poetry_ways(poetry):
    """Return each way in which Poetry takes a package: its name and a table."""
    found = []
    for name, wanted in (poetry.get("dependencies") or {}).items():
        if name != "python":
            ways = wanted if isinstance(wanted, list) else [wanted]
            tables = (it if isinstance(it, dict) else {"version": it} for it in ways)
            found += [(name, table) for table in tables]
    return found


def _poetry_line(name, way):
    extras = ",".join(map(str, way.get("extras") or ()))
    named = f"{name}[{extras}]" if extras else name
    if "git" in way:
        at = way.get("rev") or way.get("tag") or way.get("branch")
        plain = f"{named} @ git+{way['git']}{f'@{at}' if at else ''}"
    elif "url" in way:
        plain = f"{named} @ {way['url']}"
    else:
        plain = f"{named}{_spec(way.get('version', ''))}"
    conditions = [str(way["markers"])] if "markers" in way else []
    if "python" in way:
        bounds = _clauses(str(way["python"]))
        conditions += [f'python_version {sign} "{version}"' for sign, version in bounds]
    if "platform" in way:
        conditions.append(f'sys_platform == "{way["platform"]}"')
    if len(conditions) > 1:
        conditions = [f"({it})" for it in conditions]
    return f"{plain} ; {' and '.join(conditions)}" if conditions else plain


def _spec(wanted):
    """Return Poetry's way to name versions in that of Python's packages."""
    return ",".join(f"{sign}{version}" for sign, version in _clauses(wanted))


def _clauses(wanted):
    return requirements.clauses(f"=={wanted}" if re.match(r"\d", wanted) else wanted)


def _entry_point_groups(folder):
    table = metadata.table_of(folder)
    project, poetry = table.get("project") or {}, table.get("tool", {}).get("poetry") or {}
    groups = {"console_scripts": metadata.scripts(folder)}
    groups["gui_scripts"] = project.get("gui-scripts") or {}
    groups.update(project.get("entry-points") or poetry.get("plugins") or {})
    for group, points in metadata.setup_facts(folder).get("entry_points", {}).items():
        groups[group] = {**points, **groups.get(group, {})}
    return {str(name): points for name, points in groups.items() if points}


def _readme_path(folder):
    table = metadata.table_of(folder)
    given = (table.get("project") or table.get("tool", {}).get("poetry") or {}).get("readme")
    given = given.get("file") if isinstance(given, dict) else given
    return given if isinstance(given, str) else ""


def _readme(folder):
    path = _readme_path(folder)
    return metadata.read_text(folder, path) if path else ""
