"""The names of `psycopg.pq` that lead to libpq: connections that fail, settings, and escapes."""

import os
import re

from psycopg import errors
from psycopg.pq import _enums, misc

from .settings import SETTINGS, parse

__impl__ = "python"
__build_version__ = 170006


def version():
    """Return the version of the client library."""
    return __build_version__


class PGconn:
    """A connection to a database that nobody runs."""

    notice_handler = notify_handler = None
    status = _enums.ConnStatus.BAD.value
    transaction_status = _enums.TransactionStatus.UNKNOWN.value
    pipeline_status = _enums.PipelineStatus.OFF.value
    nonblocking = 0

    def __init__(self, conninfo):
        self._stated = _stated(conninfo)
        self.host, self.port, self.user, self.db = (
            self._stated[name].encode() for name in ("host", "port", "user", "dbname")
        )
        self.error_message = (
            f'connection to server at "{self._stated["host"]}", port {self._stated["port"]} '
            "failed: sockets are not available in the sandbox\n"
        ).encode()

    def __getattr__(self, name):
        """Raise what everything raises that needs a connection."""
        if name.startswith("_"):
            raise AttributeError(name)
        raise errors.OperationalError("the connection is closed")

    @classmethod
    def connect(cls, conninfo):
        """Give a connection that has failed."""
        return cls(conninfo)

    @classmethod
    def connect_start(cls, conninfo):
        """Give a connection that is about to fail."""
        found = cls(conninfo)
        found.status = _enums.ConnStatus.STARTED.value
        return found

    def connect_poll(self):
        """Have it fail."""
        self.status = _enums.ConnStatus.BAD.value
        return _enums.PollingStatus.FAILED.value

    @classmethod
    def ping(cls, conninfo):
        """Return that no database answers."""
        return _enums.Ping.NO_RESPONSE.value

    def finish(self):
        """Close it."""
        self.status = _enums.ConnStatus.BAD.value

    @property
    def info(self):
        """Return its settings."""
        return _options(self._stated)

    def get_error_message(self, encoding="utf-8"):
        """Return why it failed."""
        return self.error_message.decode(encoding or "utf-8", "replace").strip()

    def parameter_status(self, name):
        """Return nothing: no server has said anything."""


class _Absent:
    """Something that only a connection gives; there is none."""


class PGresult(_Absent):
    """What a database answered."""


class PGcancel(_Absent):
    """A way to cancel a statement."""


class PGcancelConn(_Absent):
    """A connection that cancels a statement."""


def _stated(conninfo):
    """Return the settings of a connection's text, of the environment, and what stands for none."""
    found = {
        name: os.environ.get(variable or "", default)
        for name, (variable, default) in SETTINGS.items()
    }
    found |= _parsed(conninfo)
    found["host"] = found["host"] or "localhost"
    found["user"] = found["user"] or "postgres"
    found["dbname"] = found["dbname"] or found["user"]
    return found


def _parsed(conninfo):
    if not isinstance(conninfo, bytes):
        raise TypeError(f"bytes expected, got {type(conninfo)} instead")
    try:
        return parse(conninfo.decode())
    except ValueError as error:
        raise errors.OperationalError(str(error)) from None


def _encoded(text):
    return None if text is None else text.encode()


def _options(values):
    return [
        misc.ConninfoOption(
            keyword=name.encode(),
            envvar=_encoded(variable),
            compiled=_encoded(default),
            val=_encoded(values.get(name)),
            label=name.encode(),
            dispchar=b"*" if name in ("password", "sslpassword") else b"",
            dispsize=64,
        )
        for name, (variable, default) in SETTINGS.items()
    ]


class Conninfo:
    """Settings of connections."""

    @classmethod
    def get_defaults(cls):
        """Return the settings there are, with the values that the environment states."""
        return _options(
            {
                name: os.environ.get(variable or "", default)
                for name, (variable, default) in SETTINGS.items()
            }
        )

    @classmethod
    def parse(cls, conninfo):
        """Return the settings there are, with the values that a text states."""
        return _options(_parsed(conninfo))


_PRINTED = re.compile(rb"[^\x20-\x7e]|['\\]")
_OCTAL = re.compile(rb"\\(?:([0-7]{3})|(\\))")


def _in_octal(found):
    byte = found[0]
    special = {b"'": b"''", b"\\": rb"\\\\"}
    return special.get(byte) or b"\\\\%03o" % byte[0]


class Escaping:
    """Writes values as SQL, as libpq does it without a connection."""

    def __init__(self, conn=None):
        self.conn = conn

    def _refuse(self, name):
        raise errors.OperationalError(f"{name} failed: no connection provided")

    def escape_literal(self, data):
        """Raise what libpq raises without a connection."""
        self._refuse("escape_literal")

    def escape_identifier(self, data):
        """Raise what libpq raises without a connection."""
        self._refuse("escape_identifier")

    def escape_string(self, data):
        """Return a text with its quotes doubled."""
        return bytes(data).replace(b"\\", b"\\\\").replace(b"'", b"''")

    def escape_bytea(self, data):
        """Return bytes as a text of printable characters."""
        return _PRINTED.sub(_in_octal, bytes(data))

    def unescape_bytea(self, data):
        """Return the bytes that a text stands for."""
        text = bytes(data)
        if text.startswith(rb"\x"):
            return bytes.fromhex(text[2:].decode())
        return _OCTAL.sub(lambda it: bytes([int(it[1], 8)]) if it[1] else b"\\", text)
