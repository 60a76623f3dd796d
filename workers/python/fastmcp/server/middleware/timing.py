"""Times of requests: the host measures them itself. Accepted, and passes requests on."""

from .middleware import Middleware


class TimingMiddleware(Middleware):
    """Passes requests on."""

    def __init__(self, *_args, **_options):
        """Accept any options."""


class DetailedTimingMiddleware(Middleware):
    """Passes requests on."""

    def __init__(self, *_args, **_options):
        """Accept any options."""
