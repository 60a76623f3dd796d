"""Completion: what a server proposes for an argument while it is typed."""

import functools

from berth_runtime.serving.context import settled
from berth_sdk.mcp.types import Completion


class Completing:
    """Registering the handler of completion requests; mixed into the server class."""

    def completion(self, handler=None, **_options):
        """Register the decorated function: `@completion` or `@completion()`."""
        if handler is None:
            return self.completion
        self.add_completion_handler(handler)
        return handler

    def add_completion_handler(self, handler):
        """Register a function of reference, argument and context, in place of any before."""

        @functools.wraps(handler)
        async def complete(ref, argument, context):
            made = await settled(handler(ref, argument, context))
            return Completion(values=list(made)) if isinstance(made, (list, tuple)) else made

        self._mcp_server.completion()(complete)
