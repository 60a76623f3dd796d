"""Failures that are JSON-RPC errors instead of results."""

import types

INVALID_PARAMS = -32602
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INTERNAL_ERROR = -32603
RESOURCE_NOT_FOUND = -32002
URL_ELICITATION_REQUIRED = -32042


class McpError(Exception):
    """A JSON-RPC error; `error` has code, message and data.

    Made from an `ErrorData`, or, as in version 2 of the SDK, from its parts.
    """

    def __init__(self, error=None, message=None, data=None, *, code=None):
        if message is not None:
            error = _error(code if error is None else error, message, data)
        super().__init__(error.message)
        self.error = error

    @classmethod
    def from_error_data(cls, error):
        """Make one of an `ErrorData`."""
        return McpError(error)

    @classmethod
    def from_jsonrpc_error(cls, error):
        """Make one of a JSON-RPC error response."""
        return cls.from_error_data(error.error)

    @property
    def code(self):
        """The error's number."""
        return self.error.code

    @property
    def message(self):
        """The error's text."""
        return self.error.message

    @property
    def data(self):
        """What else the error tells, or None."""
        return self.error.data


class UrlElicitationRequiredError(McpError):
    """The user has to visit addresses before the request can be answered."""

    def __init__(self, elicitations, message=None):
        count = len(elicitations)
        text = message or f"URL elicitation{'s' if count > 1 else ''} required"
        listed = [
            item.model_dump(mode="json", by_alias=True, exclude_none=True) for item in elicitations
        ]
        super().__init__(_error(URL_ELICITATION_REQUIRED, text, {"elicitations": listed}))
        self._elicitations = elicitations

    @property
    def elicitations(self):
        """The addresses to visit, as they were given."""
        return self._elicitations

    @classmethod
    def from_error(cls, error):
        """Make one of the error that a client got; raises ValueError for another code."""
        from berth_sdk.mcp.types import ElicitRequestURLParams

        if error.code != URL_ELICITATION_REQUIRED:
            raise ValueError(f"Expected error code {URL_ELICITATION_REQUIRED}, got {error.code}")
        listed = (error.data or {}).get("elicitations", [])
        asked = [ElicitRequestURLParams.model_validate(item) for item in listed]
        return cls(asked, error.message)


def _error(code, message, data=None):
    return types.SimpleNamespace(code=code, message=message, data=data)


def failure(code, message, data=None):
    """Build an `McpError` from its parts."""
    return McpError(_error(code, message, data))
