"""The Context that handlers ask for by annotation."""

import inspect

from .. import state
from .errors import failure, METHOD_NOT_FOUND


class Done:
    """Returned by calls that have taken effect already; may be awaited or left alone.

    So `ctx.info("…")` works in plain functions and `await ctx.info("…")` in asynchronous ones.
    """

    def __await__(self):
        return None
        yield


class RequestContext:
    """What a handler may look up about its request."""

    def __init__(self, server, request):
        self.request_id = request.id
        self.meta = _Meta(request.meta)
        self.session = ServerSession()
        self.lifespan_context = server._lifespan_value
        self.request = None
        self.close_sse_stream = None


class _Meta:
    """The request's metadata with attributes, as the SDK's models have them."""

    def __init__(self, values):
        self.__dict__.update(values)
        self.progressToken = values.get("progressToken")

    def model_dump(self, **_):
        """Return the metadata as a dictionary."""
        return dict(self.__dict__)


class ServerSession:
    """The session side of a handler: notifications to the client, requests to it."""

    def send_log_message(self, level, data, logger=None, related_request_id=None):
        """Send a log message."""
        params = {"level": level, "data": data}
        if logger is not None:
            params["logger"] = logger
        state.session.notify("notifications/message", params)
        return Done()

    def send_progress_notification(
        self, progress_token, progress, total=None, message=None, related_request_id=None
    ):
        """Send the progress of a request."""
        params = {"progressToken": progress_token, "progress": progress}
        if total is not None:
            params["total"] = total
        if message is not None:
            params["message"] = message
        state.session.notify("notifications/progress", params)
        return Done()

    def send_resource_updated(self, uri):
        """Tell the client that a resource has changed."""
        state.session.notify("notifications/resources/updated", {"uri": str(uri)})
        return Done()

    def send_tool_list_changed(self):
        """Tell the client that the list of tools has changed."""
        state.session.notify("notifications/tools/list_changed", {})
        return Done()

    def send_resource_list_changed(self):
        """Tell the client that the list of resources has changed."""
        state.session.notify("notifications/resources/list_changed", {})
        return Done()

    def send_prompt_list_changed(self):
        """Tell the client that the list of prompts has changed."""
        state.session.notify("notifications/prompts/list_changed", {})
        return Done()

    async def create_message(self, *_, **__):
        """Ask the client's model."""
        raise _unanswerable("Sampling")

    async def elicit(self, *_, **__):
        """Ask the user."""
        raise _unanswerable("Elicitation")

    elicit_form = elicit
    elicit_url = elicit

    async def list_roots(self, *_, **__):
        """Ask for the client's roots."""
        raise _unanswerable("Listing roots")


def _unanswerable(what):
    return failure(METHOD_NOT_FOUND, f"{what} is not available: the client cannot be asked here")


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
        if token is not None:
            ServerSession().send_progress_notification(token, progress, total, message)
        return Done()

    def read_resource(self, uri):
        """Read a resource of this server."""
        return self._fastmcp.read_resource(uri)

    async def elicit(self, message, schema=None, **_):
        """Ask the user."""
        raise _unanswerable("Elicitation")

    async def elicit_url(self, message, url, elicitation_id, **_):
        """Send the user to an address."""
        raise _unanswerable("Elicitation")

    async def close_sse_stream(self):
        """Close the stream of this request early; the client resumes it."""


async def settled(value):
    """Return a value, awaited when it is awaitable."""
    return await value if inspect.isawaitable(value) else value
