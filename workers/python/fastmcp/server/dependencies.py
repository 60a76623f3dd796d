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
    """Return the names of the parameters that clients do not give."""
    from .context import Context

    names = {
        name
        for name, parameter in inspect.signature(fn).parameters.items()
        if isinstance(parameter.default, Dependency)
    }
    context = context_parameter(fn, Context)
    return names | {context} if context else names


async def injected_values(fn):
    """Return the values of the injected parameters for one call."""
    from .context import Context

    values = {}
    context = context_parameter(fn, Context)
    for name, parameter in inspect.signature(fn).parameters.items():
        if isinstance(parameter.default, Dependency):
            made = parameter.default.provide()
            if hasattr(made, "__aenter__"):
                made = await made.__aenter__()
            values[name] = await settled(made)
        elif name == context:
            values[name] = get_context()
    return values
