"""Stand-in for asyncpg, whose connections need a socket: none can be made here.

Servers whose tools use a database start with it; what connects gets the error of a database that
nobody runs.
"""

import errno
import urllib.parse

from . import exceptions

__all__ = ["Connection", "Pool", "Record", "connect", "create_pool", "exceptions"]
__version__ = "0.31.0"

_PORT = 5432


def __getattr__(name):
    """Give an error of the library by its name, as `from asyncpg import …` asks for it."""
    return getattr(exceptions, name)


class Record:
    """A row; there is none."""


class Connection:
    """A connection; there is none."""


def _address(dsn, host, port):
    split = urllib.parse.urlsplit(dsn or "")
    first = host[0] if isinstance(host, list | tuple) and host else host
    return first or split.hostname or "localhost", port or split.port or _PORT


def _refuse(address):
    raise ConnectionRefusedError(
        errno.ECONNREFUSED,
        f"Connect call failed {address}: sockets are not available in the sandbox",
    )


async def connect(dsn=None, *, host=None, port=None, **_settings):
    """Raise what a connection to a database that nobody runs raises."""
    _refuse(_address(dsn, host, port))


class _Acquiring:
    """What `Pool.acquire` gives: to be awaited, or entered."""

    def __init__(self, pool):
        self._pool = pool

    async def _connect(self):
        self._pool._refuse()

    def __await__(self):
        return self._connect().__await__()

    async def __aenter__(self):
        self._pool._refuse()

    async def __aexit__(self, *_):
        pass


class Pool:
    """Connections that are made when the pool is, but for one with `min_size=0`."""

    def __init__(self, dsn=None, *, min_size=10, host=None, port=None, **_settings):
        self._address = _address(dsn, host, port)
        self._min_size = min_size
        self._closing = False

    def _refuse(self):
        if self._closing:
            raise exceptions.InterfaceError("pool is closed")
        _refuse(self._address)

    async def _open(self):
        if self._min_size:
            self._refuse()
        return self

    def __await__(self):
        return self._open().__await__()

    async def __aenter__(self):
        return await self._open()

    async def __aexit__(self, *_):
        await self.close()

    def acquire(self, *, timeout=None):
        """Give what raises when it is awaited or entered."""
        return _Acquiring(self)

    async def release(self, connection, *, timeout=None):
        """Do nothing: no connection was ever taken."""

    async def _query(self, *_arguments, **_settings):
        self._refuse()

    execute = executemany = fetch = fetchmany = fetchrow = fetchval = _query
    copy_from_query = copy_from_table = copy_records_to_table = copy_to_table = _query

    async def close(self):
        """Close the pool."""
        self._closing = True

    def terminate(self):
        """Close the pool."""
        self._closing = True

    def is_closing(self):
        """Return whether the pool was closed."""
        return self._closing

    async def expire_connections(self):
        """Do nothing: there are none."""

    def get_size(self):
        """Return the number of connections."""
        return 0

    get_idle_size = get_min_size = get_max_size = get_size


def create_pool(dsn=None, **settings):
    """Make a pool, which connects when it is awaited or entered."""
    return Pool(dsn, **settings)
