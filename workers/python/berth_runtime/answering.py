"""`request`: one MCP message to the server object and back."""

from . import output, state
from .profile import ProfileError
from .serving.errors import INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, McpError
from .tracebacks import message_of, reason_of

INTERRUPTED = {"kind": "error", "code": INTERNAL_ERROR, "message": "The call was interrupted"}


def unreadable(error):
    """Return the outcome of a request that Python cannot read: an integer of too many digits."""
    return _error(INVALID_PARAMS, f"Invalid params: {error}")


def unwritable(error):
    """Return the outcome of a request whose result cannot be written as JSON."""
    return _error(INTERNAL_ERROR, f"The result cannot be written as JSON: {reason_of(error)}")


async def answer(message):
    """Return the outcome of one request as a dictionary."""
    params = message.get("params") or {}
    if not isinstance(params, dict):
        return _error(INVALID_PARAMS, "Invalid params: expected an object")
    if state.session.server is None:
        return _error(INTERNAL_ERROR, "The server is not loaded")
    if state.session.problems:
        return _refused()
    request = state.RequestState(message.get("request_id"), params.get("_meta"))
    token = state.current.set(request)
    try:
        result = await _result(message.get("method"), params)
        # A module that this call imported may have been refused, whatever the call made of that.
        return _refused() if state.session.problems else {"kind": "result", "result": result}
    except McpError as error:
        return _error(error.error.code, error.error.message, error.error.data)
    except NotImplementedError:
        return _error(METHOD_NOT_FOUND, "Method not found")
    except ProfileError:
        return _refused()
    except KeyboardInterrupt:
        return INTERRUPTED
    except SystemExit as error:
        return _error(INTERNAL_ERROR, f"The server called exit ({error.code})")
    except BaseException as error:
        return _error(INTERNAL_ERROR, message_of(error))
    finally:
        output.finish()
        state.current.reset(token)


async def _result(method, params):
    server = state.session.server
    if method != "berth/client":
        return await server.handle(method, params)
    state.session.client = {
        "protocolVersion": params.get("protocol_version"),
        "capabilities": params.get("capabilities") or {},
        "clientInfo": params.get("client_info") or {"name": "", "version": ""},
    }
    await server.greet(state.session.client)
    return {}


def _refused():
    """Answer for a server of which a module, maybe imported late, is refused."""
    problems = state.session.problems
    return _error(INTERNAL_ERROR, str(ProfileError(problems)), {"problems": problems})


def _error(code, message, data=None):
    shape = {"kind": "error", "code": code, "message": message}
    return shape if data is None else {**shape, "data": data}
