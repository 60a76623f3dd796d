"""The pool by the name of its module."""

from . import Pool, create_pool

__all__ = ["Pool", "create_pool"]
