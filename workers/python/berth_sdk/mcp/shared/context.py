"""What a handler may look up about its request."""

from berth_runtime.serving.context import RequestContext

__all__ = ["RequestContext"]
