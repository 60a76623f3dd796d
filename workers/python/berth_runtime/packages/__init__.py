"""Packages that a session gets when its server imports them, in the full profile.

The session's host has their files and hands them over when it is asked for; nothing is read from a
disk. What there is, is known from the catalogue that setup packs. A package sees those that it
requires, as when it is installed with them; the server sees all.
"""

import functools
import importlib.abc
import importlib.machinery
import importlib.metadata
import importlib.util
import sys

from .. import state
from . import adapters

_FOLDER = "/lib/packages"
# Optional requirements that servers count on; others stay out of sight, as loading them costs time.
_OPTIONAL = {
    "pydantic": {"email-validator"},
    "pydantic-settings": {"pyyaml", "tomli"},
    "starlette": {"jinja2", "python-multipart"},
    "fastapi": {"jinja2", "python-multipart"},
    "sqlalchemy": {"pymysql"},
}
_places = {}
_host = {"take": None}


def connect(take):
    """Remember the function that has the host give a package's files."""
    _host["take"] = take


@functools.cache
def catalogue():
    """Return what is known about each package: version, modules, requires, place."""
    # Not by `import`, which would ask the finder below.
    spec = importlib.machinery.PathFinder.find_spec("berth_packages", sys.path)
    if spec is None:
        return {}
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.CATALOGUE


def provider(module):
    """Return the name of the package that holds a top-level module, or None."""
    return next((name for name, it in catalogue().items() if module in it["modules"]), None)


class PackageFinder(importlib.abc.MetaPathFinder):
    """Finds modules of packages, after those of the server itself."""

    def find_spec(self, name, path=None, target=None):
        """Return the spec of a top-level module of a package, which is taken now if need be."""
        if path is not None or state.session.profile == "restricted":
            return None
        package = provider(name)
        if package is None or not _may_see(package) or not _have(package):
            return None
        return adapters.adapted(importlib.machinery.PathFinder.find_spec(name, [_places[package]]))

    def find_distributions(self, context=importlib.metadata.DistributionFinder.Context()):
        """Return the metadata of packages that were taken."""
        for place in list(_places.values()):
            inner = importlib.metadata.DistributionFinder.Context(name=context.name, path=[place])
            yield from importlib.metadata.MetadataPathFinder.find_distributions(inner)


def _may_see(package):
    """Return whether what imports is the server or the library, or a package that requires it."""
    frame = sys._getframe(2)
    while frame is not None:
        file = frame.f_code.co_filename
        if "importlib" not in file and "berth_runtime" not in file:
            break
        frame = frame.f_back
    if frame is None or not file.startswith(_FOLDER + "/"):
        return True
    importer = file.split("/")[3]
    if package in catalogue()[importer]["requires"] or package == importer:
        return True
    return package in _OPTIONAL.get(importer, ())


def _have(package):
    """Return whether a package is in the file system, taking it from the host if it is not."""
    from pyodide.ffi import can_run_sync, run_sync

    if package in _places:
        return True
    if _host["take"] is None or not can_run_sync() or not run_sync(_host["take"](package)):
        return False
    _places[package] = catalogue()[package]["place"]
    return True
