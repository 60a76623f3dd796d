"""Running the entrypoint: paths, packages, `__main__`."""

import importlib
import os
import sys
import types

from . import profile, state
from .imports import CheckedLoader, inside


def locate(root, entrypoint):
    """Return the entrypoint's path and, when it lies in a package, the package's dotted name."""
    path = os.path.normpath(os.path.join(root, entrypoint))
    folder, parts = os.path.dirname(path), []
    while inside(folder) and os.path.exists(os.path.join(folder, "__init__.py")):
        if folder == root:
            break
        parts.insert(0, os.path.basename(folder))
        folder = os.path.dirname(folder)
    return path, ".".join(parts), folder


def extend_path(root, path, package, base):
    """Put the project on `sys.path`: base of the package, root, `src`, the entrypoint's folder.

    In a package the folder comes last, so that its modules do not hide those of the library.
    """
    source = os.path.join(root, "src")
    first = [base, root] + ([source] if os.path.isdir(source) else [])
    folder = os.path.dirname(path)
    if not package:
        first.insert(0, folder)
    added = list(dict.fromkeys(first))
    sys.path[:] = [*added, *(item for item in sys.path if item not in added)]
    if package:
        sys.path.append(folder)
    _share_names(added)


def _share_names(folders):
    """Let a server's own `mcp/` folder add modules that the SDK does not have."""
    for name in ("mcp", "fastmcp"):
        module = sys.modules.get(name)
        for folder in folders:
            own = os.path.join(folder, name)
            if module is not None and os.path.isdir(own) and own not in module.__path__:
                module.__path__.append(own)


def prepare(root, entrypoint):
    """Return the module `__main__` and its code, ready to be run; raises ProfileError."""
    path, package, base = locate(root, entrypoint)
    extend_path(root, path, package, base)
    os.chdir(root)
    sys.argv = [path]
    with profile.trusted(), open(path, "rb") as file:
        source = file.read()
    stem = os.path.splitext(os.path.basename(path))[0]
    module = types.ModuleType("__main__")
    module.__file__ = path
    module.__package__ = package
    if state.session.profile == "restricted":
        code = CheckedLoader("__main__", path).source_to_code(source, path)
        module.__builtins__ = profile.builtins_for(module)
    else:
        code = compile(source, path, "exec", dont_inherit=True)
        module.__builtins__ = __builtins__
    if package:
        importlib.import_module(package)
        module.__spec__ = importlib.machinery.ModuleSpec(f"{package}.{stem}", None, origin=path)
    sys.modules["__main__"] = module
    _alias(module, package, stem)
    return module, code


def _alias(module, package, stem):
    """Let other modules import the entrypoint by name and get the one that runs."""
    if stem in ("__main__", "__init__"):
        return
    name = f"{package}.{stem}" if package else stem
    if name in sys.modules and not inside(getattr(sys.modules[name], "__file__", None) or ""):
        return
    sys.modules[name] = module
    if package:
        setattr(sys.modules[package], stem, module)
