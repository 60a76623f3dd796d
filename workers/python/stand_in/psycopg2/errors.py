"""The errors of psycopg2 by the names that PostgreSQL has for them, made as they are asked for."""

from . import extensions

_KINDS = {
    extensions.IntegrityError: "Violation",
    extensions.ProgrammingError: ("Syntax", "Undefined", "Duplicate", "InsufficientPrivilege"),
    extensions.DataError: ("Invalid", "Numeric", "String", "DivisionByZero", "Datetime"),
}


def __getattr__(name):
    """Make the error of this name."""
    if not name[:1].isupper():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name.endswith(_KINDS[extensions.IntegrityError]):
        base = extensions.IntegrityError
    elif name.startswith(_KINDS[extensions.ProgrammingError]):
        base = extensions.ProgrammingError
    elif name.startswith(_KINDS[extensions.DataError]):
        base = extensions.DataError
    else:
        base = extensions.OperationalError
    made = type(name, (base,), {"__module__": __name__, "__doc__": "An error of a database."})
    globals()[name] = made
    return made
