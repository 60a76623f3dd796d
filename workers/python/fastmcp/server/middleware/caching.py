"""Caches of answers: they are made anew. Accepted, and passes requests on."""

from .middleware import Middleware


class ResponseCachingMiddleware(Middleware):
    """Passes requests on."""

    def __init__(self, *_args, **_options):
        """Accept any options."""
