"""Limits of requests: the host has its own. Accepted, and passes requests on."""

from .middleware import Middleware


class RateLimitingMiddleware(Middleware):
    """Passes requests on."""

    def __init__(self, *_args, **_options):
        """Accept any options."""


class SlidingWindowRateLimitingMiddleware(Middleware):
    """Passes requests on."""

    def __init__(self, *_args, **_options):
        """Accept any options."""
