"""PyYAML: its loaders and dumpers of compiled code are those in Python, which give the same."""

_LOADERS = ("BaseLoader", "FullLoader", "Loader", "SafeLoader", "UnsafeLoader")
_DUMPERS = ("BaseDumper", "Dumper", "SafeDumper")


def adapt(module):
    """Give the names that servers import for speed, where the compiled part is absent."""
    for name in (*_LOADERS, *_DUMPERS):
        if hasattr(module, name) and not hasattr(module, f"C{name}"):
            setattr(module, f"C{name}", getattr(module, name))
