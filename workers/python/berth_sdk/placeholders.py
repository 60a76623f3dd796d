"""Parts of the SDKs that a server imports although Berth does their work: clients, sign-in, web.

Their modules exist and give a class for every name, so that imports, subclasses and constructor
calls of a start go through. What such an object is asked to do raises an error that says who does
it.
"""

import abc
import contextlib
import types

_CLIENT = "Berth supports clients of server objects and of HTTP servers only"
_SIGN_IN = "Berth authenticates callers before they reach the server"
_TRANSPORT = "Berth handles the transport itself"
_AREAS = {
    "mcp.client": _CLIENT,
    "fastmcp.client": _CLIENT,
    "fastmcp.server.proxy": _CLIENT,
    "fastmcp.server.openapi": _CLIENT,
    "fastmcp.mcp_config": _CLIENT,
    "mcp.shared.memory": _CLIENT,
    "mcp.shared.session": _TRANSPORT,
    "mcp.shared.message": _TRANSPORT,
    "fastmcp.server.event_store": _TRANSPORT,
    "mcp.server.auth": _SIGN_IN,
    "mcp.shared.auth": _SIGN_IN,
    "mcp.shared.auth_utils": _SIGN_IN,
    "fastmcp.server.auth": _SIGN_IN,
    "mcp.server.sse": _TRANSPORT,
    "mcp.server.websocket": _TRANSPORT,
    "mcp.server.streamable_http": _TRANSPORT,
    "mcp.server.streamable_http_manager": _TRANSPORT,
    "mcp.server.transport_security": _TRANSPORT,
    "mcp.server.express": _TRANSPORT,
    "fastmcp.server.http": _TRANSPORT,
}
# Functions that tell whose call it is: nobody's, as far as the server is concerned.
NOBODY = {"get_access_token", "get_http_request"}


class _Kind(abc.ABCMeta):
    """The class of placeholders: what they have says so when it is called."""

    def __getattr__(cls, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return _Refusal(f"{cls.__name__}.{name}", cls._berth_reason)


def is_placeholder(item):
    """Return whether something only stands for a part of the SDK."""
    return isinstance(item, _Kind)


class Placeholder(metaclass=_Kind):
    """Accepts what it is made with and keeps it; does nothing."""

    _berth_reason = ""

    def __init__(self, *arguments, **options):
        self.__dict__.update(options)
        # A transport that is given its server leads to it when the program has it run.
        given = [*arguments, options.get("app")]
        self.berth_server = next((item for item in given if hasattr(item, "is_empty")), None)

    def __class_getitem__(cls, _arguments):
        return cls

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _Refusal(f"{type(self).__name__}.{name}", self._berth_reason)

    def __call__(self, *_arguments, **_options):
        raise RuntimeError(f"{type(self).__name__} is not available: {self._berth_reason}")

    async def __aenter__(self):
        self()

    async def __aexit__(self, *_error):
        return None

    @contextlib.asynccontextmanager
    async def connect_sse(self, *_arguments):
        """Yield what `Server.run` takes as streams."""
        yield None, None

    @contextlib.asynccontextmanager
    async def run(self, *_arguments):
        """Do nothing for as long as a session manager would run."""
        yield None


class _Refusal:
    """An attribute of a placeholder; calling it tells why it has no effect."""

    def __init__(self, name, reason):
        self._name = name
        self._reason = reason

    def __call__(self, *_arguments, **_options):
        raise RuntimeError(f"{self._name} is not available: {self._reason}")


def reason_for(name):
    """Return why a module of the SDK has no substance here, or None when it is to be found."""
    while name:
        if name in _AREAS:
            return _AREAS[name]
        name = name.rpartition(".")[0]
    return None


def make(module, name, reason):
    """Return the placeholder of one name."""
    if name in NOBODY:
        return lambda *_arguments, **_options: None
    return _Kind(name, (Placeholder,), {"__module__": module, "_berth_reason": reason})


class _Module(types.ModuleType):
    """A module of a library that is not there: every name is a placeholder."""

    def __init__(self, name, reason):
        super().__init__(name)
        self._berth_reason = reason

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        made = make(self.__name__, name, self._berth_reason)
        setattr(self, name, made)
        return made


def module(name, reason):
    """Return a module of a missing library: every name is a placeholder."""
    return _Module(name, reason)
