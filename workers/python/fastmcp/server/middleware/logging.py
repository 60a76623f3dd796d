"""Logs of requests: the host writes them itself. Accepted, and passes requests on."""

from .middleware import Middleware


class LoggingMiddleware(Middleware):
    """Passes requests on."""

    def __init__(self, *_args, **_options):
        """Accept any options."""


class StructuredLoggingMiddleware(Middleware):
    """Passes requests on."""

    def __init__(self, *_args, **_options):
        """Accept any options."""
