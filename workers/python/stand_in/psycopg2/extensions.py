"""The names of `psycopg2.extensions`: errors, levels, and what values are turned into."""

import urllib.parse


class Warning(Exception):
    """A warning of a database."""


class Error(Exception):
    """The base of all errors."""

    pgcode = pgerror = cursor = diag = None


class InterfaceError(Error):
    """A wrong use of the library."""


class DatabaseError(Error):
    """An error that a database reports."""


class DataError(DatabaseError):
    """A value that cannot be used."""


class OperationalError(DatabaseError):
    """A database that cannot be reached, or not go on."""


class IntegrityError(DatabaseError):
    """A row that breaks a rule."""


class InternalError(DatabaseError):
    """A fault of a database."""


class ProgrammingError(DatabaseError):
    """A statement that is wrong."""


class NotSupportedError(DatabaseError):
    """Something that a database does not do."""


class QueryCanceledError(OperationalError):
    """A statement that was cancelled."""


class TransactionRollbackError(OperationalError):
    """A transaction that could not end well."""


ISOLATION_LEVEL_AUTOCOMMIT = 0
ISOLATION_LEVEL_READ_COMMITTED = 1
ISOLATION_LEVEL_REPEATABLE_READ = 2
ISOLATION_LEVEL_SERIALIZABLE = 3
ISOLATION_LEVEL_READ_UNCOMMITTED = 4
ISOLATION_LEVEL_DEFAULT = None
STATUS_SETUP, STATUS_READY, STATUS_BEGIN, STATUS_PREPARED = 0, 1, 2, 5
STATUS_IN_TRANSACTION = STATUS_BEGIN
TRANSACTION_STATUS_IDLE, TRANSACTION_STATUS_ACTIVE = 0, 1
TRANSACTION_STATUS_INTRANS, TRANSACTION_STATUS_INERROR, TRANSACTION_STATUS_UNKNOWN = 2, 3, 4
POLL_OK, POLL_READ, POLL_WRITE, POLL_ERROR = 0, 1, 2, 3

adapters = {}
string_types = {}
binary_types = {}
encodings = {"UTF8": "utf_8", "LATIN1": "iso8859_1", "SQLASCII": "ascii"}


class connection:
    """A connection; there is none."""


class cursor:
    """A cursor; there is none."""


class _Type:
    """How values of a database's type are read."""

    def __init__(self, values, name, read):
        self.values, self.name, self._read = tuple(values), name, read

    def __call__(self, value, cursor=None):
        return value if self._read is None else self._read(value, cursor)


def new_type(values, name, read):
    """Make a type."""
    return _Type(values, name, read)


def new_array_type(values, name, base):
    """Make a type of lists."""
    return _Type(values, name, base)


UNICODE, UNICODEARRAY, JSON, JSONB, DECIMAL, FLOAT, INTEGER, BOOLEAN, PYDATE, PYDATETIME = (
    new_type((), name, None)
    for name in (
        "UNICODE",
        "UNICODEARRAY",
        "JSON",
        "JSONB",
        "DECIMAL",
        "FLOAT",
        "INTEGER",
        "BOOLEAN",
        "PYDATE",
        "PYDATETIME",
    )
)


def register_type(made, scope=None):
    """Remember a type, of which no value is ever read."""
    for value in made.values:
        string_types[value] = made


def register_adapter(kind, adapter):
    """Remember what turns values of a Python type into SQL."""
    adapters[kind, ISQLQuote] = adapter


class ISQLQuote:
    """What can be written as SQL."""

    def __init__(self, wrapped):
        self.adapted = wrapped

    def getquoted(self):
        """Return it as SQL."""
        return str(self.adapted).encode()


class AsIs(ISQLQuote):
    """A text that is SQL already."""


class QuotedString(ISQLQuote):
    """A text in quotes."""

    def getquoted(self):
        """Return it as SQL."""
        text = str(self.adapted).replace("'", "''")
        return f"'{text}'".encode()


def parse_dsn(dsn):
    """Return the settings in a connection's text, an address or words of `name=value`."""
    if dsn.startswith(("postgres://", "postgresql://")):
        split = urllib.parse.urlsplit(dsn)
        found = {
            "user": split.username,
            "password": split.password,
            "host": split.hostname,
            "port": split.port,
            "dbname": split.path[1:],
        }
        known = {name: str(value) for name, value in found.items() if value}
        return {**known, **dict(urllib.parse.parse_qsl(split.query))}
    return dict(word.split("=", 1) for word in dsn.split() if "=" in word)


def make_dsn(dsn=None, **settings):
    """Return a connection's text with settings added."""
    known = {**parse_dsn(dsn or ""), **{k: v for k, v in settings.items() if v is not None}}
    known["dbname"] = known.pop("database", known.get("dbname"))
    return " ".join(f"{name}={value}" for name, value in known.items() if value is not None)


def quote_ident(text, scope=None):
    """Return a name in quotes."""
    name = str(text).replace('"', '""')
    return f'"{name}"'


def set_wait_callback(call):
    """Do nothing: nobody waits for a connection."""


def get_wait_callback():
    """Return what nobody has set."""


def libpq_version():
    """Return the version of the client library."""
    return 170006
