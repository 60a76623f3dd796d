"""Import hooks: where the SDK modules, the stand-ins and the server's own modules come from."""

import importlib.abc
import importlib.machinery
import importlib.metadata
import os
import sys

from berth_sdk import facade, versions

from .. import packages, profile, scanned, state
from ..packages import missing

HERE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STAND_INS = os.path.join(HERE, "stand_in")
_ANY = importlib.metadata.DistributionFinder.Context()
_OWN = ("berth_runtime", "berth_sdk")


class SdkFinder(importlib.abc.MetaPathFinder):
    """Finds the SDK modules before any path, so that a folder `mcp/` of a server is no match."""

    def find_spec(self, name, path=None, target=None):
        """Return the spec of an SDK module."""
        if path is None and name in _OWN:
            return importlib.machinery.PathFinder.find_spec(name, [HERE])
        if name.partition(".")[0] not in facade.TOPS:
            return None
        spec = facade.spec_of(name)
        if spec is not None:
            return spec
        # A folder of the server beside the SDK's modules.
        found = _own_source(name, importlib.machinery.PathFinder.find_spec(name, path or []))
        if found is None:
            missing.explain(name, versions.hint_for(name))
        return found

    def find_distributions(self, context=_ANY):
        """Return distributions for the SDKs and for the server's own project."""
        from ..packages.metadata import distributions

        return distributions(context.name, state.session.project)


class ProjectFinder(importlib.abc.MetaPathFinder):
    """Loads the server's own modules: from their source, which is what was scanned."""

    def find_spec(self, name, path=None, target=None):
        """Return the spec of a module that belongs to the server."""
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        if spec is None:
            _refuse_foreign(name, path)
        elif path is None and spec.origin is None:
            return _installed(name)
        return _own_source(name, spec)


def _installed(name):
    """Return the spec of a package that a folder without `__init__.py` must not hide, or None."""
    found = packages.PackageFinder().find_spec(name)
    return found if found is not None and found.origin is not None else None


def _refuse_foreign(name, path):
    """Refuse a module of the server that is compiled, though for another machine than this."""
    if state.session.profile != "restricted":
        return
    last = name.rpartition(".")[2]
    for folder in filter(inside, sys.path if path is None else path):
        try:
            entries = sorted(os.listdir(folder))
        except OSError:
            continue
        for entry in entries:
            if entry.endswith((".so", ".pyd")) and entry.split(".")[0] == last:
                profile.refuse([profile.not_source(relative(os.path.join(folder, entry)), name)])


def _own_source(name, spec):
    """Return the spec of a module of the server with a loader of ours, None for any other."""
    origin = getattr(spec, "origin", None)
    if origin is None or not inside(origin):
        return None
    restricted = state.session.profile == "restricted"
    if isinstance(spec.loader, importlib.machinery.SourceFileLoader):
        spec.loader = (CheckedLoader if restricted else SourceLoader)(name, origin)
        spec.cached = None
        return spec
    if restricted:
        profile.refuse([profile.not_source(relative(origin), name)])
    if isinstance(spec.loader, importlib.machinery.SourcelessFileLoader):
        text = f"{relative(origin)} is bytecode without source, which does not run: add the source"
        raise ImportError(text, name=name, path=origin)
    scanned.check_binary(origin)
    return None


class SourceLoader(importlib.machinery.SourceFileLoader):
    """Reads a module of the server: what was scanned, and not the bytecode that is beside it."""

    def get_code(self, fullname):
        """Compile the source, whatever `__pycache__` has."""
        path = self.get_filename(fullname)
        source = self.get_data(path)
        scanned.check_file(path, source)
        return self.source_to_code(source, path)


class CheckedLoader(SourceLoader):
    """Reads a module of the server and runs it only when the profile allows all of it."""

    def source_to_code(self, data, path, *, _optimize=-1):
        """Check the source, then compile it."""
        profile.check(data, relative(path))
        return super().source_to_code(data, path, _optimize=_optimize)

    def exec_module(self, module):
        """Run the module with the built-ins of the restricted profile."""
        module.__dict__["__builtins__"] = profile.builtins_for(module)
        super().exec_module(module)


class StandInFinder(importlib.abc.MetaPathFinder):
    """Finds Berth's stand-ins where no real module exists, and explains what not available."""

    def find_spec(self, name, path=None, target=None):
        """Return the spec of a stand-in; raises ModuleNotFoundError with a hint otherwise."""
        if path is None:
            spec = importlib.machinery.PathFinder.find_spec(name, [STAND_INS])
            if spec is not None and spec.origin is not None:
                return spec
            missing.explain(name)
        return None


def inside(path):
    """Return whether a file belongs to the server."""
    root = state.session.root
    return path == root or path.startswith(root + os.sep)


def relative(path):
    """Return a path of the server as its author knows it."""
    return os.path.relpath(path, state.session.root) if inside(path) else path


def install():
    """Put the hooks in place; done once."""
    if any(isinstance(finder, SdkFinder) for finder in sys.meta_path):
        return
    sys.meta_path.insert(0, SdkFinder())
    position = next(
        (
            index
            for index, finder in enumerate(sys.meta_path)
            if finder is importlib.machinery.PathFinder
        ),
        len(sys.meta_path),
    )
    sys.meta_path.insert(position, ProjectFinder())
    sys.meta_path.extend([packages.PackageFinder(), StandInFinder()])
