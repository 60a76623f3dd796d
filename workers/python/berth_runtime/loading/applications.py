"""Which MCP server is behind a web application that a program has served."""

import importlib

from .. import launch, state


def serve(app, factory=False):
    """Serve the MCP server behind an application; stays here for good."""
    launch.serve(_server_of(app, factory))


async def serve_async(app, factory=False):
    """Serve the MCP server behind an application; stays here for good."""
    await launch.serve_async(_server_of(app, factory))


def _server_of(app, factory):
    if isinstance(app, str):
        name, _, attribute = app.partition(":")
        app = importlib.import_module(name)
        for part in (attribute or "app").split("."):
            app = getattr(app, part)
    if factory:
        app = app()
    found = _behind(app, 0)
    if found is None and not state.session.created:
        raise RuntimeError("This application contains no MCP server, and Berth serves nothing else")
    return found


def _behind(app, depth):
    """Look at the application, what it wraps and what is mounted in it."""
    server = getattr(app, "berth_server", None)
    if server is not None or depth > 4:
        return server
    inner = [getattr(app, name, None) for name in ("app", "router", "endpoint")]
    for item in [*inner, *(getattr(app, "routes", None) or ())]:
        server = _behind(item, depth + 1) if item is not None and item is not app else None
        if server is not None:
            return server
    return None
