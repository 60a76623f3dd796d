"""Times of requests, in the log."""

import logging
import time

from .middleware import Middleware


async def _timed(self, context, call_next, what):
    """Answer, and log how long that took."""
    start = time.perf_counter()
    try:
        result = await call_next(context)
    except Exception as error:
        self.logger.log(self.log_level, f"{what} failed after {_since(start):.2f}ms: {error}")
        raise
    self.logger.log(self.log_level, f"{what} completed in {_since(start):.2f}ms")
    return result


def _since(start):
    return (time.perf_counter() - start) * 1000


class TimingMiddleware(Middleware):
    """Logs how long each request took."""

    def __init__(self, logger=None, log_level=logging.INFO):
        self.logger = logger or logging.getLogger("fastmcp.timing")
        self.log_level = log_level

    async def on_request(self, context, call_next):
        """Time a request."""
        return await _timed(self, context, call_next, f"Request {context.method or 'unknown'}")


class DetailedTimingMiddleware(Middleware):
    """Logs how long each tool, resource, prompt and list took."""

    def __init__(self, logger=None, log_level=logging.INFO):
        self.logger = logger or logging.getLogger("fastmcp.timing.detailed")
        self.log_level = log_level


def _hook(words, key=None):
    async def timed(self, context, call_next):
        what = words.format(getattr(context.message, key, "unknown")) if key else words
        return await _timed(self, context, call_next, what)

    return timed


for _name, _words, _key in (
    ("on_call_tool", "Tool '{}'", "name"),
    ("on_read_resource", "Resource '{}'", "uri"),
    ("on_get_prompt", "Prompt '{}'", "name"),
    ("on_list_tools", "List tools", None),
    ("on_list_resources", "List resources", None),
    ("on_list_resource_templates", "List resource templates", None),
    ("on_list_prompts", "List prompts", None),
):
    setattr(DetailedTimingMiddleware, _name, _hook(_words, _key))
