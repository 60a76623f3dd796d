"""The errors of asyncpg, by their names. None of them but `InterfaceError` is ever raised."""


class PostgresError(Exception):
    """An error that a database reports."""


class InterfaceError(Exception):
    """A wrong use of the library."""


class InternalClientError(Exception):
    """A fault of the library."""


class PostgresWarning(Warning):
    """A warning of a database."""


class InterfaceWarning(UserWarning):
    """A warning about a use of the library."""


# Those that others are kinds of; any other name is an error that a database reports.
_BASES = {
    "ClientConfigurationError": (InterfaceError, ValueError),
    "ProtocolError": (InternalClientError,),
    "OutdatedSchemaCacheError": (InternalClientError,),
    "CheckViolationError": "IntegrityConstraintViolationError",
    "ExclusionViolationError": "IntegrityConstraintViolationError",
    "ForeignKeyViolationError": "IntegrityConstraintViolationError",
    "NotNullViolationError": "IntegrityConstraintViolationError",
    "RestrictViolationError": "IntegrityConstraintViolationError",
    "UniqueViolationError": "IntegrityConstraintViolationError",
    "ConnectionDoesNotExistError": "PostgresConnectionError",
    "ConnectionFailureError": "PostgresConnectionError",
    "DeadlockDetectedError": "TransactionRollbackError",
    "SerializationError": "TransactionRollbackError",
    "QueryCanceledError": "OperatorInterventionError",
    "DuplicateTableError": "SyntaxOrAccessError",
    "InsufficientPrivilegeError": "SyntaxOrAccessError",
    "PostgresSyntaxError": "SyntaxOrAccessError",
    "UndefinedColumnError": "SyntaxOrAccessError",
    "UndefinedTableError": "SyntaxOrAccessError",
    "InvalidCatalogNameError": (PostgresError,),
    "InvalidPasswordError": "InvalidAuthorizationSpecificationError",
    "TooManyConnectionsError": "InsufficientResourcesError",
}
_ENDINGS = ("Error", "Warning", "Truncation", "NoData", "NotGranted", "NotRevoked")


def __getattr__(name):
    """Make the error of this name; there are two hundred, of which a server names few."""
    if name.startswith("_") or not name.endswith(_ENDINGS):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    bases = _BASES.get(name, (PostgresError,))
    if isinstance(bases, str):
        bases = (globals().get(bases) or __getattr__(bases),)
    made = type(name, bases, {"__module__": __name__, "__doc__": "An error of a database."})
    globals()[name] = made
    return made
