"""Requests from the server to its client: sampling, elicitation, roots, ping."""

import json

from .. import state, wire
from .errors import METHOD_NOT_FOUND, failure

_LATE = "The server can send requests to its client only during one of the client's requests"


async def ask(method, params=None, timeout_seconds=None):
    """Send a request to the client and return its result; raises McpError when it refuses."""
    session, request = state.session, state.current.get()
    if request is not None and request.peer is not None:
        return await request.peer.asked(method, params or {})
    if session.ask is None or request is None or request.id is None:
        raise failure(METHOD_NOT_FOUND, _LATE)
    message = {
        "method": method,
        "params": params or {},
        "request_id": request.id,
        "timeout_ms": None if timeout_seconds is None else round(timeout_seconds * 1000),
    }
    outcome = json.loads(await session.ask(wire.text_of(message)))
    if outcome["kind"] == "error":
        raise failure(outcome["code"], outcome["message"], outcome.get("data"))
    return outcome["result"]
