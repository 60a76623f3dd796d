"""Stand-in for uvicorn: running the application of an MCP server serves that server."""

from berth_runtime.loading import applications


def run(app, *_args, factory=False, **_options):
    """Serve the MCP server behind an application."""
    applications.serve(app, factory)


class Config:
    """What to serve; other options have no effect."""

    def __init__(self, app, *_args, factory=False, **options):
        self.app = app
        self.factory = factory
        self.__dict__.update(options)


class Server:
    """Serves what a configuration names."""

    def __init__(self, config):
        self.config = config
        self.should_exit = False

    def run(self, *_args, **_options):
        """Serve the MCP server behind the application."""
        applications.serve(self.config.app, self.config.factory)

    async def serve(self, *_args, **_options):
        """Serve the MCP server behind the application."""
        await applications.serve_async(self.config.app, self.config.factory)
