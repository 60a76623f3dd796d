"""Showing and hiding parts of a server, and of those that are mounted in it."""

from ...exceptions import NotFoundError


class ComponentService:
    """Shows and hides parts by name or address; each method returns the part."""

    def __init__(self, server):
        self._server = server

    async def _enable_tool(self, key):
        return _switched(_named(self._server, key, "_tools"), key, "tool", True)

    async def _disable_tool(self, key):
        return _switched(_named(self._server, key, "_tools"), key, "tool", False)

    async def _enable_resource(self, key):
        return _switched(_resource(self._server, key), key, "resource", True)

    async def _disable_resource(self, key):
        return _switched(_resource(self._server, key), key, "resource", False)

    async def _enable_prompt(self, key):
        return _switched(_named(self._server, key, "_prompts"), key, "prompt", True)

    async def _disable_prompt(self, key):
        return _switched(_named(self._server, key, "_prompts"), key, "prompt", False)


def _named(server, key, kind):
    """Return the tool or prompt of a name, None without one."""
    own = getattr(server, kind)
    if key in own:
        return own[key]
    for prefix, inner in reversed(server._mounted):
        if not prefix or key.startswith(f"{prefix}_"):
            found = _named(inner, key.removeprefix(f"{prefix}_") if prefix else key, kind)
            if found is not None:
                return found
    return None


def _resource(server, key):
    """Return the resource or template of an address, None without one."""
    for own in (server._resources, server._templates):
        if key in own:
            return own[key]
    scheme, separator, rest = key.partition("://")
    for prefix, inner in reversed(server._mounted):
        if not prefix or rest.startswith(f"{prefix}/"):
            path = rest.removeprefix(f"{prefix}/") if prefix else rest
            found = _resource(inner, f"{scheme}{separator}{path}")
            if found is not None:
                return found
    return None


def _switched(found, key, what, shown):
    if found is None:
        raise NotFoundError(f"Unknown {what}: {key}")
    (found.enable if shown else found.disable)()
    return found
