"""`ServerSession`: notifications to the client, requests to it, and what is known about it."""

from .. import state
from . import sampling_rules
from .asking import ask
from .content import wire
from .notices import Done, Notices


class ServerSession(Notices):
    """The session side of a handler."""

    _fastmcp_id = None

    @property
    def client_params(self):
        """What the client said at `initialize`, or None before it."""
        from berth_sdk.mcp.types import InitializeRequestParams

        request = state.current.get()
        peer = request.peer if request is not None else None
        client = peer.greeting if peer is not None else state.session.client
        return InitializeRequestParams.model_validate(client) if client is not None else None

    @property
    def _capabilities(self):
        params = self.client_params
        return params.capabilities if params is not None else None

    @property
    def client_capabilities(self):
        """What the client said that it can do, or None before `initialize`."""
        return self._capabilities

    @property
    def protocol_version(self):
        """The revision that was agreed with the client, or None before that."""
        params = self.client_params
        return params.protocolVersion if params is not None else None

    def check_client_capability(self, capability):
        """Return whether the client has all of the given `ClientCapabilities`."""
        known = self._capabilities
        if known is None:
            return False
        return _has(known, capability)

    async def create_message(
        self,
        messages,
        *,
        max_tokens,
        system_prompt=None,
        include_context=None,
        temperature=None,
        stop_sequences=None,
        metadata=None,
        model_preferences=None,
        tools=None,
        tool_choice=None,
        related_request_id=None,
    ):
        """Ask the client's model; raises McpError."""
        from berth_sdk.mcp import types

        sampling_rules.check(self._capabilities, messages, tools, tool_choice)
        params = types.CreateMessageRequestParams(
            messages=messages,
            systemPrompt=system_prompt,
            includeContext=include_context,
            temperature=temperature,
            maxTokens=max_tokens,
            stopSequences=stop_sequences,
            metadata=metadata,
            modelPreferences=model_preferences,
            tools=tools,
            toolChoice=tool_choice,
        )
        kind = types.CreateMessageResult if tools is None else types.CreateMessageResultWithTools
        return kind.model_validate(await ask("sampling/createMessage", wire(params)))

    async def list_roots(self):
        """Ask for the folders that the client offers."""
        from berth_sdk.mcp.types import ListRootsResult

        return ListRootsResult.model_validate(await ask("roots/list"))

    async def elicit_form(self, message, requestedSchema, related_request_id=None):  # noqa: N803
        """Ask the user to fill in a form; raises McpError."""
        from berth_sdk.mcp.types import ElicitResult

        params = {"mode": "form", "message": message, "requestedSchema": requestedSchema}
        return ElicitResult.model_validate(await ask("elicitation/create", params))

    elicit = elicit_form

    async def elicit_url(self, message, url, elicitation_id, related_request_id=None):
        """Ask the user to visit an address; raises McpError."""
        from berth_sdk.mcp.types import ElicitResult

        params = {"mode": "url", "message": message, "url": url, "elicitationId": elicitation_id}
        return ElicitResult.model_validate(await ask("elicitation/create", params))

    async def send_ping(self):
        """Ask whether the client is there."""
        from berth_sdk.mcp.types import EmptyResult

        return EmptyResult.model_validate(await ask("ping"))

    async def send_request(self, request, result_type, request_read_timeout_seconds=None, *_, **__):
        """Send a request that is given as a model; raises McpError."""
        request = getattr(request, "root", request)
        limit = request_read_timeout_seconds
        params = wire(request.params) if request.params is not None else None
        seconds = limit.total_seconds() if limit is not None else None
        return result_type.model_validate(await ask(request.method, params, seconds))

    def send_notification(self, notification, related_request_id=None):
        """Send a notification that is given as a model."""
        notification = getattr(notification, "root", notification)
        params = notification.params
        state.session.notify(notification.method, wire(params) if params is not None else {})
        return Done()


def current_session():
    """Return the session with the one client that this interpreter has."""
    if state.session.with_client is None:
        state.session.with_client = ServerSession()
    return state.session.with_client


def _has(known, wanted):
    """Return whether capabilities include others; what is not wanted does not matter."""
    for name in ("roots", "sampling", "elicitation"):
        asked, given = getattr(wanted, name), getattr(known, name)
        if asked is None:
            continue
        if given is None:
            return False
        if name == "roots" and asked.listChanged and not given.listChanged:
            return False
        if name == "sampling" and any(
            getattr(asked, part) is not None and getattr(given, part) is None
            for part in ("context", "tools")
        ):
            return False
    for key, value in (wanted.experimental or {}).items():
        if key not in (known.experimental or {}) or known.experimental[key] != value:
            return False
    return getattr(wanted, "tasks", None) is None
