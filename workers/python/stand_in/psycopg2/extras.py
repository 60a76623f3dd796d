"""The names of `psycopg2.extras`: cursors, none of which is ever made, and values of statements."""

import json as _json

from . import extensions


class DictCursor(extensions.cursor):
    """A cursor whose rows have their columns' names."""


class RealDictCursor(extensions.cursor):
    """A cursor whose rows are dictionaries."""


class NamedTupleCursor(extensions.cursor):
    """A cursor whose rows are named tuples."""


class LoggingCursor(extensions.cursor):
    """A cursor that logs its statements."""


class DictConnection(extensions.connection):
    """A connection with such cursors."""


class RealDictConnection(extensions.connection):
    """A connection with such cursors."""


class NamedTupleConnection(extensions.connection):
    """A connection with such cursors."""


class LoggingConnection(extensions.connection):
    """A connection with such cursors."""


class DictRow(list):
    """A row with its columns' names."""


class RealDictRow(dict):
    """A row as a dictionary."""


class Json(extensions.QuotedString):
    """A value that is written as JSON."""

    def __init__(self, adapted, dumps=None):
        super().__init__(adapted)
        self._dumps = dumps or _json.dumps

    def dumps(self, value):
        """Return a value as JSON."""
        return self._dumps(value)

    def getquoted(self):
        """Return it as SQL."""
        return extensions.QuotedString(self.dumps(self.adapted)).getquoted()


def execute_batch(cursor, statement, arguments, page_size=100):
    """Run a statement for each of its arguments."""
    for each in arguments:
        cursor.execute(statement, each)


def execute_values(cursor, statement, arguments, template=None, page_size=100, fetch=False):
    """Run a statement with all of its values."""
    cursor.execute(statement, list(arguments))
    return cursor.fetchall() if fetch else None


def _nothing(*_arguments, **_settings):
    """Do nothing: no value is ever read."""


register_uuid = register_json = register_default_json = register_default_jsonb = _nothing
register_hstore = register_inet = register_ipaddress = register_composite = _nothing
register_range = wait_select = _nothing
