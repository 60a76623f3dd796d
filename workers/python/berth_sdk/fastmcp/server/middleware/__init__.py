"""Middleware: functions around every request."""

from .middleware import CallNext, Middleware, MiddlewareContext

__all__ = ["CallNext", "Middleware", "MiddlewareContext"]
