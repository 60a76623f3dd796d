"""What a server needs for as long as it runs, in parts that can be put together with `|`."""

import contextlib


class Lifespan:
    """A part, made of an asynchronous generator function of the server."""

    def __init__(self, fn):
        self._fn = contextlib.asynccontextmanager(fn)

    @contextlib.asynccontextmanager
    async def __call__(self, server):
        async with self._fn(server) as given:
            yield given if given is not None else {}

    def __or__(self, other):
        if not isinstance(other, Lifespan):
            raise TypeError(
                f"Cannot compose Lifespan with {type(other).__name__}. "
                "Use @lifespan decorator or wrap with ContextManagerLifespan()."
            )
        return ComposedLifespan(self, other)


class ContextManagerLifespan(Lifespan):
    """A part, made of a function that gives a context manager."""

    def __init__(self, fn):
        self._fn = fn


class ComposedLifespan(Lifespan):
    """Two parts, the second within the first; what both give is put together."""

    def __init__(self, left, right):
        self._left, self._right = left, right

    @contextlib.asynccontextmanager
    async def __call__(self, server):
        async with self._left(server) as first, self._right(server) as second:
            yield {**first, **second}


def lifespan(fn):
    """Make a part of an asynchronous generator function."""
    return Lifespan(fn)
