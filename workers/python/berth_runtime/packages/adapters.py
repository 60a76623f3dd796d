"""Packages that are fitted to the interpreter when they are imported: it has no sockets.

A module of `adaptations` with the name of the package (dots as underscores) has a
function `adapt(module)`, called once after the package's own module has run.
"""

import importlib
import importlib.abc
import importlib.util

_PLACE = f"{__package__}.adaptations"


def adapted(spec):
    """Return a spec whose module is fitted after it has run, where there is something to fit."""
    if spec is None or spec.loader is None:
        return spec
    name = f"{_PLACE}.{spec.name.replace('.', '_')}"
    if importlib.util.find_spec(name) is not None:
        spec.loader = _Adapted(spec.loader, name)
    return spec


class _Adapted(importlib.abc.Loader):
    """A loader that has a module fitted; in everything else it is the loader it stands for."""

    def __init__(self, loader, name):
        self._loader = loader
        self._name = name

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module):
        self._loader.exec_module(module)
        importlib.import_module(self._name).adapt(module)

    def __getattr__(self, name):
        return getattr(self._loader, name)
