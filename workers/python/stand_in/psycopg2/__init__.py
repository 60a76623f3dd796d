"""Stand-in for psycopg2, which is compiled code over a socket: no connection can be made here.

Servers whose tools use a database start with it; what connects gets the error of a database that
cannot be reached.
"""

import datetime

from . import extensions
from .extensions import (
    DatabaseError,
    DataError,
    Error,
    IntegrityError,
    InterfaceError,
    InternalError,
    NotSupportedError,
    OperationalError,
    ProgrammingError,
    Warning,
)

__all__ = [
    "Binary",
    "DataError",
    "DatabaseError",
    "Date",
    "Error",
    "IntegrityError",
    "InterfaceError",
    "InternalError",
    "NotSupportedError",
    "OperationalError",
    "ProgrammingError",
    "Time",
    "Timestamp",
    "Warning",
    "apilevel",
    "connect",
    "paramstyle",
    "threadsafety",
]

__version__ = "2.9.11 (dt dec pq3 ext lo64)"
__libpq_version__ = 170006
apilevel = "2.0"
threadsafety = 2
paramstyle = "pyformat"

Binary = bytes
Date = datetime.date
Time = datetime.time
Timestamp = datetime.datetime
DateFromTicks = datetime.date.fromtimestamp
TimestampFromTicks = datetime.datetime.fromtimestamp
BINARY, DATETIME, NUMBER, ROWID, STRING = (
    extensions.new_type((), name, None)
    for name in ("BINARY", "DATETIME", "NUMBER", "ROWID", "STRING")
)


def connect(dsn=None, connection_factory=None, cursor_factory=None, **settings):
    """Raise what a connection to a database that cannot be reached raises."""
    known = {**extensions.parse_dsn(dsn or ""), **settings}
    host, port = known.get("host") or "localhost", known.get("port") or 5432
    raise OperationalError(
        f'connection to server at "{host}", port {port} failed: '
        "sockets are not available in the sandbox"
    )
