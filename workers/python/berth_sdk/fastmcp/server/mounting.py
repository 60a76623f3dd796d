"""What a server offers of another one: the same under other names and addresses."""

import copy

from berth_sdk.versions import current


class ResourceContents(list):
    """The contents of a resource: a list as in version 2, whose `contents` is that of version 3."""

    @property
    def contents(self):
        """The contents, once more."""
        return self


def renamed(item, prefix, address=None):
    """Return what a mounted server offers under its name and address in the outer server."""
    if not prefix:
        return item
    made = copy.copy(item)
    if address is None or current("fastmcp").names_get_prefix or not hasattr(made, "move"):
        made.name = f"{prefix}_{item.name}"
    if address is not None and hasattr(made, "move"):
        made.move(address)
    return made


def prefixed(prefix, uri):
    """Return an address with a prefix after its scheme."""
    scheme, separator, rest = uri.partition("://")
    return f"{scheme}{separator}{prefix}/{rest}"
