"""Extensions of the protocol that a server of version 4 adds: what it advertises, and a gate before
its tools.

Clients reach the methods of MCP only, so that those of an extension are accepted and never called.
"""

import contextlib
import copy
import dataclasses
import re
import weakref

_CLIENT = "io.modelcontextprotocol/clientCapabilities"
_IDENTIFIER = re.compile(r"[A-Za-z][\w-]*(\.[A-Za-z][\w-]*)*/[\w.-]+")


def _checked(identifier, owner):
    if not isinstance(identifier, str) or not _IDENTIFIER.fullmatch(identifier):
        raise ValueError(
            f"{owner}.identifier must be a `vendor-prefix/name` string, got {identifier!r}"
        )


@dataclasses.dataclass(frozen=True)
class MethodBinding:
    """A method that an extension would answer."""

    method: str
    params_type: type
    handler: object
    protocol_versions: frozenset | None = None

    def __post_init__(self):
        if self.protocol_versions is not None and not self.protocol_versions:
            raise ValueError(
                f"MethodBinding for {self.method!r} has an empty protocol_versions set, "
                "so it could never be served; use None to admit every version."
            )


class ServerExtension:
    """What servers derive their extensions from; every method has a default."""

    auto_register = False
    _server = None

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        if "identifier" in cls.__dict__:
            _checked(cls.identifier, cls.__name__)

    def _bind(self, server):
        _checked(self.identifier, type(self).__name__)
        self._server = weakref.ref(server)

    def clone(self):
        """Return a copy that belongs to no server."""
        made = copy.copy(self)
        made._server = None
        return made

    @property
    def server(self):
        """The server that has the extension; raises RuntimeError before it does."""
        server = self._server and self._server()
        if server is None:
            raise RuntimeError(
                f"Extension {self.identifier!r} is not bound to a FastMCP server; "
                "register it with FastMCP.add_extension() before use."
            )
        return server

    def settings(self):
        """Return what clients are told of the extension."""
        return {}

    def methods(self):
        """Return the methods that it would answer."""
        return ()

    def lifespan(self):
        """Return the context in which the server runs."""
        return contextlib.nullcontext()

    async def intercept_tool_call(self, params, context, call_next):
        """Answer a call of a tool; the default has the tool answer it."""
        return await call_next()

    def client_settings(self, ctx):
        """Return what the client says of the extension with its request, or None."""
        return read_client_extension_settings(ctx, self.identifier)


def read_client_extension_settings(ctx, identifier):
    """Return what the client says of an extension with its request, or None."""
    meta = getattr(ctx, "meta", None)
    for key in (_CLIENT, "extensions", identifier):
        meta = meta.get(key) if isinstance(meta, dict) else None
    return dict(meta) if isinstance(meta, dict) else None


class Extended:
    """A server's extensions; mixed into the server class."""

    _extensions = {}

    def add_extension(self, extension):
        """Add an extension: the first that is added sees calls first; raises ValueError."""
        extension._bind(self)
        if extension.identifier in self._extensions:
            raise ValueError(f"Extension {extension.identifier!r} is already registered")
        self._extensions = {**self._extensions, extension.identifier: extension}

    async def enter_lifespan(self):
        """Begin the server's own lifespan within those of its extensions."""
        if self._lifespan_manager is None:
            for extension in self._extensions.values():
                # It ends with the session.
                manager = extension.lifespan()
                enter = getattr(manager, "__aenter__", None)
                await enter() if enter is not None else manager.__enter__()
        await super().enter_lifespan()

    def describe(self):
        """Tell of the extensions among the capabilities."""
        described = super().describe()
        if self._extensions:
            told = {key: extension.settings() for key, extension in self._extensions.items()}
            described["capabilities"]["extensions"] = told
        return described

    def gated(self, asked, answer):
        """Return a function that has a call answered, with the extensions before the tool."""

        async def call():
            return await answer(asked)

        for extension in reversed(self._extensions.values()):
            call = _gate(extension, asked, self, call)
        return call


def _gate(extension, asked, server, call_next):
    async def call():
        return await extension.intercept_tool_call(asked.message, server.get_context(), call_next)

    return call
