"""Handling of failures: they are answers already. Accepted, and passes requests on."""

from .middleware import Middleware


class ErrorHandlingMiddleware(Middleware):
    """Passes requests on."""

    def __init__(self, *_args, **_options):
        """Accept any options."""


class RetryMiddleware(Middleware):
    """Passes requests on."""

    def __init__(self, *_args, **_options):
        """Accept any options."""
