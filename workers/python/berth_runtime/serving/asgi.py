"""The web applications that a server would be served by on CPython: kept, never called."""


class WebApp:
    """Stands for the ASGI application of a server; whoever runs it serves the server."""

    def __init__(self, server):
        self.berth_server = server
        self.routes = []
        self.router = self
        self.state = type("State", (), {})()
        self.lifespan = self.lifespan_context = None

    def mount(self, *_args, **_options):
        """Accept a mounted application."""

    def add_middleware(self, *_args, **_options):
        """Accept middleware."""

    def add_route(self, *_args, **_options):
        """Accept a route."""

    def route(self, *_args, **_options):
        """Accept a decorated route."""
        return lambda function: function

    async def __call__(self, *_arguments):
        raise RuntimeError("Berth serves MCP itself and does not call web applications")
