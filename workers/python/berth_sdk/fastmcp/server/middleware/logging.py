"""Logs of requests, as text or as JSON: before each, and with its time after it."""

import json
import logging
import time

from berth_runtime.model.dump import to_json

from .middleware import Middleware


def default_serializer(data):
    """Return a payload as JSON text; what JSON does not know is written as its text."""
    return to_json(data, fallback=str)


class BaseLoggingMiddleware(Middleware):
    """Logs the messages of chosen methods."""

    structured_logging = False

    def __init__(
        self,
        *,
        logger=None,
        log_level=logging.INFO,
        include_payloads=False,
        include_payload_length=False,
        estimate_payload_tokens=False,
        max_payload_length=None,
        methods=None,
        payload_serializer=None,
    ):
        self.logger = logger or logging.getLogger(self.logger_name)
        self.log_level = log_level
        self.include_payloads = include_payloads
        self.include_payload_length = include_payload_length
        self.estimate_payload_tokens = estimate_payload_tokens
        self.max_payload_length = max_payload_length
        self.methods = methods
        self.payload_serializer = payload_serializer

    async def on_message(self, context, call_next):
        """Answer; log before it, and what came of it."""
        if self.methods and context.method not in self.methods:
            return await call_next(context)
        self._log(self.log_level, context, "start", self._payload(context))
        start = time.perf_counter()
        try:
            result = await call_next(context)
        except Exception as error:
            facts = {"duration_ms": _since(start), "error": str(error)}
            self._log(logging.ERROR, context, "error", facts)
            raise
        self._log(self.log_level, context, "success", {"duration_ms": _since(start)})
        return result

    def _log(self, level, context, event, facts):
        message = {
            "event": f"{context.type}_{event}",
            "method": context.method or "unknown",
            "source": context.source,
            **facts,
        }
        if self.structured_logging:
            self.logger.log(level, json.dumps(message))
        else:
            self.logger.log(level, " ".join(f"{key}={value}" for key, value in message.items()))

    def _payload(self, context):
        """Return what is to be told of the payload."""
        facts = {}
        measured = self.include_payload_length or self.estimate_payload_tokens
        if not (measured or self.include_payloads):
            return facts
        text = self._serialized(context)
        if self.estimate_payload_tokens:
            facts["payload_tokens"] = len(text) // 4
        if self.include_payload_length:
            facts["payload_length"] = len(text)
        if self.include_payloads:
            limit = self.max_payload_length
            facts["payload"] = f"{text[:limit]}..." if limit and len(text) > limit else text
            facts["payload_type"] = type(context.message).__name__
        return facts

    def _serialized(self, context):
        if self.payload_serializer is None:
            return default_serializer(context.message)
        try:
            return self.payload_serializer(context.message)
        except Exception as error:
            self.logger.warning(
                f"Failed to serialize payload due to {error}: "
                f"{context.type} {context.method} {context.source}."
            )
            return default_serializer(context.message)


class LoggingMiddleware(BaseLoggingMiddleware):
    """Logs messages as text."""

    logger_name = "fastmcp.middleware.logging"

    def __init__(self, *, max_payload_length=1000, **options):
        """Maximum length of a payload in characters."""
        super().__init__(max_payload_length=max_payload_length, **options)


class StructuredLoggingMiddleware(BaseLoggingMiddleware):
    """Logs messages as JSON, with whole payloads."""

    logger_name = "fastmcp.middleware.structured_logging"
    structured_logging = True

    def __init__(self, **options):
        if "max_payload_length" in options:
            text = f"{type(self).__name__}.__init__() got an unexpected keyword argument "
            raise TypeError(f"{text}'max_payload_length'")
        super().__init__(**options)


def _since(start):
    return round((time.perf_counter() - start) * 1000, 2)
