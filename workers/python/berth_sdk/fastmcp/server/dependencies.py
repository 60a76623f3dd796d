"""Values that are injected into handlers: the context by annotation, others by their default."""

import inspect

from berth_runtime import state
from berth_runtime.serving.context import settled
from berth_runtime.serving.parameters import context_parameter


_NO_TASKS = "Berth runs no background tasks"


class Dependency:
    """Default of a parameter that is filled when the function is called.

    Of a class that a server derives, it is what entering the object gives.
    """

    def __class_getitem__(cls, _kind):
        return cls

    def provide(self):
        """Return what is entered for a call."""
        return self


class _Provided(Dependency):
    """A dependency that is what a function returns."""

    def __init__(self, provide):
        self.provide = provide


class _Shared(Dependency):
    """What a function returned the first time."""

    def __init__(self, provide):
        self._provide = provide

    async def __aenter__(self):
        if self._provide not in _shared:
            values = await injected_values({"made": self._provide})
            _shared.setdefault(self._provide, values["made"])
        return _shared[self._provide]


_shared = {}


class InMemoryProgress:
    """How far a call has come; nobody else sees it."""

    current, total, message = None, 1, None

    async def set_total(self, total):
        """Set what it is to come to."""
        if total < 1:
            raise ValueError("Total must be at least 1")
        self.total = total

    async def increment(self, amount=1):
        """Go on."""
        if amount < 1:
            raise ValueError("Amount must be at least 1")
        self.current = (self.current or 0) + amount

    async def set_message(self, message):
        """Say what is being done."""
        self.message = message


class Progress(InMemoryProgress, Dependency):
    """Default of a parameter that tells how far a call has come."""

    def provide(self):
        """Return the progress of one call."""
        return Progress()


def Depends(provide):  # noqa: N802 - the name servers use
    """Fill a parameter with what a function returns."""
    return _Provided(provide)


def Shared(provide):  # noqa: N802
    """Fill a parameter with what a function returned the first time."""
    return _Shared(provide)


def CurrentContext():  # noqa: N802
    """Fill a parameter with the context of the request."""
    return _Provided(get_context)


def OptionalCurrentContext():  # noqa: N802
    """Fill a parameter with the context of the request, or None."""
    return _Provided(_context)


def CurrentFastMCP():  # noqa: N802
    """Fill a parameter with the server."""
    return _Provided(get_server)


def CurrentHeaders():  # noqa: N802
    """Fill a parameter with the headers of the client's request: none are passed to servers."""
    return _Provided(get_http_headers)


def CurrentRequest():  # noqa: N802
    """Refuse the call: the client's HTTP request is not passed to servers."""
    return _Provided(get_http_request)


def refusing(text):
    """Make a dependency that refuses the call."""

    def refuse():
        raise RuntimeError(text)

    return _Provided(refuse)


def CurrentAccessToken():  # noqa: N802
    """Refuse the call: tokens are checked before a request reaches the server."""
    return refusing("No access token found: tokens are checked before they reach the server")


def TokenClaim(name):  # noqa: N802
    """Refuse the call: tokens are checked before a request reaches the server."""
    return refusing(f"No access token available. Cannot extract claim {name!r}.")


def CurrentDocket():  # noqa: N802
    """Refuse the call: there is no queue of tasks."""
    return refusing(f"CurrentDocket() is not available: {_NO_TASKS}")


def CurrentWorker():  # noqa: N802
    """Refuse the call: there is no queue of tasks."""
    return refusing(f"CurrentWorker() is not available: {_NO_TASKS}")


def _context():
    request = state.current.get()
    return request.values.get("context") if request is not None else None


def get_context():
    """Return the context of the request that is being answered; raises RuntimeError."""
    context = _context()
    if context is None:
        raise RuntimeError("No active context found.")
    return context


def get_server():
    """Return the server of the request that is being answered."""
    return get_context().fastmcp


def get_http_headers(include_all=False):
    """Return the headers of the client's request: none are passed to servers."""
    return {}


def get_http_request():
    """Refuse: the client's HTTP request is not passed to servers."""
    raise RuntimeError("No active HTTP request found.")


def get_access_token():
    """Return None: tokens are checked before a request reaches the server."""
    return None


def injected(fn):
    """Return what is injected into a function: parameter names and what provides their values."""
    from .context import Context

    found = {
        name: parameter.default.provide
        for name, parameter in inspect.signature(fn).parameters.items()
        if isinstance(parameter.default, Dependency)
    }
    context = context_parameter(fn, Context)
    if context is not None:
        found.setdefault(context, get_context)
    return found


async def injected_values(providers):
    """Return the values of the injected parameters for one call."""
    values = {}
    for name, provide in providers.items():
        made = provide()
        if provide is not get_context and hasattr(made, "__aenter__"):
            made = await made.__aenter__()
        values[name] = await settled(made)
    return values
