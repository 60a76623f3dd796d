"""The connection to a server object of the same interpreter."""

import asyncio
import json

from .. import state, wire
from ..serving.errors import INTERNAL_ERROR, McpError, failure
from ..tracebacks import message_of

_REVISIONS = ("2025-11-25", "2025-06-18", "2025-03-26")


class MemoryConnection:
    """Asks a server object as the host would. `raises` lets its exceptions through as they are."""

    def __init__(self, server, raises=False):
        self.server = getattr(server, "owner", None) or server
        self.peer = None
        self.greeting = None
        self._raises = raises
        self._last_id = 0

    async def request(self, method, params, seconds=None):
        """Return the result of a request; raises McpError."""
        self._last_id += 1
        request = state.RequestState(self._last_id, params.get("_meta"), self, self.server)
        token = state.current.set(request)
        try:
            answering = self._greet(params) if method == "initialize" else None
            answering = answering or self.server.handle(method, params)
            result = await asyncio.wait_for(answering, seconds)
        except McpError as error:
            if method == "tools/call" and error.message.startswith("Unknown tool"):
                # On the wire MCP makes it an error; clients in the same program know the SDKs' way.
                return {"content": [{"type": "text", "text": error.message}], "isError": True}
            raise McpError(error.error) from error
        except TimeoutError:
            text = f"Timed out while waiting for response to {method}. Waited {seconds} seconds."
            raise failure(408, text) from None
        except Exception as error:
            if self._raises:
                raise
            raise failure(INTERNAL_ERROR, message_of(error)) from error
        finally:
            state.current.reset(token)
        return json.loads(wire.text_of(result))

    async def notify(self, method, params):
        """Send a notification."""
        if method.removeprefix("notifications/") in ("progress", "roots/list_changed"):
            await self.request(method, params)

    async def close(self):
        """Do nothing: the server stays as it is."""

    def notified(self, method, params):
        """Pass on what the server tells."""
        self.peer.notified(method, json.loads(wire.text_of(params)))

    async def asked(self, method, params):
        """Return what the client answers to the server."""
        return await self.peer.asked(method, json.loads(wire.text_of(params)))

    async def _greet(self, params):
        self.greeting = {**params}
        await self.server.enter_lifespan()
        described = self.server.describe()
        await self.server.greet(self.greeting)
        asked = params.get("protocolVersion")
        info = {
            "name": described["name"],
            "version": described["version"],
            "title": described.get("title"),
            "websiteUrl": described.get("website_url"),
            "icons": described.get("icons"),
        }
        result = {
            "protocolVersion": asked if asked in _REVISIONS else _REVISIONS[0],
            "capabilities": described["capabilities"],
            "serverInfo": {key: value for key, value in info.items() if value is not None},
        }
        if described["instructions"] is not None:
            result["instructions"] = described["instructions"]
        return result
