"""The Context that handlers ask for by annotation."""

import inspect

from .. import state
from . import elicitation
from .notices import Done
from .session import current_session

_PLAIN = frozenset((type(None), str, int, float, bool, dict, list))


class RequestContext:
    """What a handler may look up about its request."""

    experimental = None
    request = None

    def __init__(self, server, request):
        self._server = server
        self.request_id = request.id
        self.meta = _Meta(request.meta)
        self.session = current_session()

    def __class_getitem__(cls, _arguments):
        return cls

    @property
    def protocol_version(self):
        """The revision that was agreed with the client, or None before that."""
        params = self.session.client_params
        return params.protocolVersion if params is not None else None

    @property
    def lifespan_context(self):
        """What the server's `lifespan` yielded."""
        return self._server._lifespan_value

    async def close_sse_stream(self):
        """End the stream of this request early; the client takes it up again."""
        self._close(self.request_id)

    async def close_standalone_sse_stream(self):
        """End the stream of messages that belong to no request; the client takes it up again."""
        self._close(None)

    def _close(self, request_id):
        wait = getattr(self._server, "_retry_interval", None)
        event = {"type": "close_stream", "request_id": request_id, "retry_ms": wait}
        state.session.send(event)


class _Meta:
    """The request's metadata: attributes as in version 1 of the SDK, keys as in version 2."""

    def __init__(self, values):
        self.__dict__.update(values)
        self.progressToken = values.get("progressToken")

    def get(self, key, default=None):
        """Return a member; the progress token is `progress_token` here."""
        name = "progressToken" if key == "progress_token" else key
        value = vars(self).get(name)
        return default if value is None else value

    def __getitem__(self, key):
        value = self.get(key)
        if value is None:
            raise KeyError(key)
        return value

    def __contains__(self, key):
        return self.get(key) is not None

    @property
    def model_extra(self):
        """The members beside the progress token."""
        return {key: value for key, value in vars(self).items() if key != "progressToken"}

    def model_dump(self, **_):
        """Return the metadata as a dictionary."""
        return dict(self.__dict__)


class BaseContext:
    """The part of Context that both SDKs share."""

    def __init__(self, fastmcp=None, **_):
        self._fastmcp = fastmcp
        self._request = state.current.get()

    def __class_getitem__(cls, _arguments):
        return cls

    @property
    def fastmcp(self):
        """The server."""
        return self._fastmcp

    mcp_server = fastmcp

    @property
    def request_context(self):
        """Request id, metadata, session and lifespan value."""
        if self._request is None:
            raise ValueError("Context is not available outside of a request")
        return RequestContext(self._fastmcp, self._request)

    @property
    def session(self):
        """The session with the client."""
        return self.request_context.session

    @property
    def request_id(self):
        """The id of the request, as text."""
        return str(self.request_context.request_id)

    @property
    def client_id(self):
        """The client's id from the request's metadata, or None."""
        return self._request.meta.get("client_id") if self._request else None

    def report_progress(self, progress, total=None, message=None):
        """Report progress; nothing happens when the client gave no progress token."""
        token = self._request.progress_token if self._request else None
        if token is None:
            return Done()
        return current_session().send_progress_notification(token, progress, total, message)

    def read_resource(self, uri):
        """Read a resource of this server."""
        return self._fastmcp.read_resource(uri)

    async def elicit(self, message, schema):
        """Ask the user for the fields of a model."""
        return await elicitation.elicit_form(self.session, message, schema)

    async def elicit_url(self, message, url, elicitation_id):
        """Ask the user to visit an address."""
        return await elicitation.elicit_url(self.session, message, url, elicitation_id)

    async def close_sse_stream(self):
        """End the stream of this request early; the client takes it up again."""
        await self.request_context.close_sse_stream()

    async def close_standalone_sse_stream(self):
        """End the stream of messages that belong to no request."""
        await self.request_context.close_standalone_sse_stream()


async def settled(value):
    """Return a value, awaited when it is awaitable."""
    # The look of `isawaitable` costs more than most of the rest of a call.
    if type(value) in _PLAIN or not inspect.isawaitable(value):
        return value
    return await value
