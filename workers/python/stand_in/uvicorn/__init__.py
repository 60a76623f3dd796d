"""Stand-in for uvicorn: running the application of an MCP server serves that server."""

import importlib

from berth_runtime import launch


def _server_of(app):
    if isinstance(app, str):
        name, _, attribute = app.partition(":")
        app = getattr(importlib.import_module(name), attribute or "app")
    server = getattr(app, "berth_server", None)
    if server is None:
        raise RuntimeError("Berth serves MCP servers only: this application is none")
    return server


def run(app, *_args, **_options):
    """Serve the MCP server behind an application."""
    launch.serve(_server_of(app))


class Config:
    """What to serve; other options have no effect."""

    def __init__(self, app, *_args, **_options):
        self.app = app


class Server:
    """Serves what a configuration names."""

    def __init__(self, config):
        self.config = config

    def run(self, *_args, **_options):
        """Serve the MCP server behind the application."""
        launch.serve(_server_of(self.config.app))

    async def serve(self, *_args, **_options):
        """Serve the MCP server behind the application."""
        await launch.serve_async(_server_of(self.config.app))
