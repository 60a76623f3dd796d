"""Values that are injected into handlers: the context by annotation, others by their default."""

import inspect

from berth_runtime import state
from berth_runtime.serving.context import settled
from berth_runtime.serving.parameters import context_parameter


class Dependency:
    """Default of a parameter that is filled when the function is called."""

    def __init__(self, provide):
        self.provide = provide


def Depends(provide):  # noqa: N802 - the name servers use
    """Fill a parameter with what a function returns."""
    return Dependency(provide)


def CurrentContext():  # noqa: N802
    """Fill a parameter with the context of the request."""
    return Dependency(get_context)


def CurrentFastMCP():  # noqa: N802
    """Fill a parameter with the server."""
    return Dependency(get_server)


def get_context():
    """Return the context of the request that is being answered; raises RuntimeError."""
    request = state.current.get()
    context = request.values.get("context") if request is not None else None
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
