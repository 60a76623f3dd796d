"""The session of a server with its client."""

from berth_runtime.serving.session import ServerSession

__all__ = ["ServerSession"]
