"""What a handler of version 2 is given."""

from berth_runtime.serving.context import RequestContext as ServerRequestContext

__all__ = ["ServerRequestContext"]
