"""Pools of connections: each makes its first ones at once, which fails."""

from . import connect, extensions


class PoolError(extensions.Error):
    """A wrong use of a pool."""


class AbstractConnectionPool:
    """Connections that are lent."""

    def __init__(self, minconn, maxconn, *arguments, **settings):
        self.minconn, self.maxconn, self.closed = int(minconn), int(maxconn), False
        self._how = arguments, settings
        for _ in range(self.minconn):
            self.getconn()

    def getconn(self, key=None):
        """Raise what a connection raises."""
        if self.closed:
            raise PoolError("connection pool is closed")
        arguments, settings = self._how
        return connect(*arguments, **settings)

    def putconn(self, conn=None, key=None, close=False):
        """Do nothing: no connection was ever lent."""

    def closeall(self):
        """Close the pool."""
        self.closed = True


class SimpleConnectionPool(AbstractConnectionPool):
    """A pool for one thread."""


class ThreadedConnectionPool(AbstractConnectionPool):
    """A pool for several threads."""
