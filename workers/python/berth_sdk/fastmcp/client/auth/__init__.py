"""How a client signs in: with a bearer token."""


class BearerAuth:
    """A token that goes with every request."""

    def __init__(self, token):
        self.token = token


__all__ = ["BearerAuth"]


def __getattr__(name):
    if name == "OAuth":
        from berth_sdk import placeholders

        reason = "in Berth, a client can authenticate with a bearer token only"
        return placeholders.make(__name__, name, reason)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
