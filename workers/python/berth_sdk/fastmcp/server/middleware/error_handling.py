"""Failures of requests: counted, logged and made errors of MCP, or tried again."""

import asyncio
import logging
import traceback

from berth_runtime.serving.errors import McpError, failure
from berth_runtime.tracebacks import reason_of
from berth_sdk.versions import current

from ...exceptions import NotFoundError
from .middleware import Middleware

_CODES = (
    ((ValueError, TypeError), -32602, "Invalid params"),
    ((PermissionError,), -32000, "Permission denied"),
    ((TimeoutError,), -32000, "Request timeout"),
)


class ErrorHandlingMiddleware(Middleware):
    """Logs failures, counts them by kind and method, and makes them errors of MCP."""

    def __init__(
        self, logger=None, include_traceback=False, error_callback=None, transform_errors=True
    ):
        self.logger = logger or logging.getLogger("fastmcp.errors")
        self.include_traceback = include_traceback
        self.error_callback = error_callback
        self.transform_errors = transform_errors
        self.error_counts = {}

    async def on_message(self, context, call_next):
        """Answer, or raise what the failure is made."""
        try:
            return await call_next(context)
        except Exception as error:
            self._note(error, context)
            raise self._made(error, context.method or "") from error

    def get_error_stats(self):
        """Return how often each kind of failure came, by method."""
        return dict(self.error_counts)

    def _note(self, error, context):
        kind, method = type(error).__name__, context.method or "unknown"
        key = f"{kind}:{method}"
        self.error_counts[key] = self.error_counts.get(key, 0) + 1
        text = f"Error in {method}: {kind}: {error}"
        if self.include_traceback:
            text += f"\n{traceback.format_exc()}"
        self.logger.error(text)
        if self.error_callback is not None:
            try:
                self.error_callback(error, context)
            except Exception as fault:
                self.logger.error(f"Error in error callback: {fault}")

    def _made(self, error, method):
        if isinstance(error, McpError) or not self.transform_errors:
            return error
        kind = type(error.__cause__ or error)
        if kind in (FileNotFoundError, KeyError, NotFoundError):
            code, words = current("fastmcp").not_found(method)
            return failure(code, f"{words}: {reason_of(error)}")
        for kinds, code, words in _CODES:
            if kind in kinds:
                return failure(code, f"{words}: {reason_of(error)}")
        return failure(-32603, f"Internal error: {reason_of(error)}")


class RetryMiddleware(Middleware):
    """Tries a request again that failed for a passing cause, after longer and longer pauses."""

    def __init__(
        self,
        max_retries=3,
        base_delay=1.0,
        max_delay=60.0,
        backoff_multiplier=2.0,
        retry_exceptions=(ConnectionError, TimeoutError),
        logger=None,
    ):
        self.max_retries = max_retries
        self.base_delay = base_delay
        self.max_delay = max_delay
        self.backoff_multiplier = backoff_multiplier
        self.retry_exceptions = retry_exceptions
        self.logger = logger or logging.getLogger("fastmcp.retry")

    async def on_request(self, context, call_next):
        """Answer, or raise the last failure."""
        for attempt in range(self.max_retries + 1):
            try:
                return await call_next(context)
            except self.retry_exceptions as error:
                if attempt == self.max_retries:
                    raise
                delay = min(self.base_delay * self.backoff_multiplier**attempt, self.max_delay)
                self.logger.warning(
                    f"Request {context.method} failed (attempt {attempt + 1}/"
                    f"{self.max_retries + 1}): {type(error).__name__}: {error}. "
                    f"Retrying in {delay:.1f}s..."
                )
                await asyncio.sleep(delay)
