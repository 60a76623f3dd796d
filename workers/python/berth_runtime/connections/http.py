"""The connection to a server over Streamable HTTP, through the host like all HTTP of a session.

An answer arrives whole, so that what the server tells meanwhile is seen when the request is over,
and what it asks meanwhile cannot be answered in time.
"""

import json
import urllib.parse

from ..http import exchange_async, header_list
from ..serving.errors import INTERNAL_ERROR, METHOD_NOT_FOUND, failure

_MOST_REDIRECTS = 5
_SESSION_TERMINATED = 32600


class HttpConnection:
    """One session with a server at an address. `headers` go with every request."""

    def __init__(self, url, headers=None, seconds=None):
        self.url = str(url)
        self.peer = None
        self.session_id = None
        self._headers = dict(headers or {})
        self._seconds = seconds
        self._revision = None
        self._last_id = 0

    async def request(self, method, params, seconds=None):
        """Return the result of a request; raises McpError."""
        self._last_id += 1
        asked = self._last_id
        message = {"jsonrpc": "2.0", "id": asked, "method": method, "params": params}
        answer = None
        for item in await self._post(message, seconds):
            if "method" in item:
                await self._other(item)
            elif item.get("id") == asked:
                answer = item
        if answer is None:
            raise failure(INTERNAL_ERROR, f"{self.url} sent no response to {method}")
        if "error" in answer:
            error = answer["error"]
            raise failure(error.get("code", 0), error.get("message", ""), error.get("data"))
        result = answer.get("result") or {}
        if method == "initialize":
            self._revision = result.get("protocolVersion")
        return result

    async def notify(self, method, params):
        """Send a notification."""
        await self._post({"jsonrpc": "2.0", "method": method, "params": params})

    async def close(self):
        """End the session at the server."""
        if self.session_id is not None:
            await self._send("DELETE", b"", None)
            self.session_id = None

    async def _other(self, message):
        params = message.get("params") or {}
        if "id" not in message:
            self.peer.notified(message["method"], params)
            return
        reply = {"jsonrpc": "2.0", "id": message["id"]}
        try:
            reply["result"] = await self.peer.asked(message["method"], params)
        except Exception as error:
            code = getattr(error, "code", METHOD_NOT_FOUND)
            reply["error"] = {"code": code, "message": str(error)}
        await self._post(reply)

    async def _post(self, message, seconds=None):
        """Send a message; return the messages of the answer."""
        status, headers, content = await self._send("POST", json.dumps(message).encode(), seconds)
        if status == 404 and self.session_id is not None:
            raise failure(_SESSION_TERMINATED, "Session terminated")
        self.session_id = headers.get("mcp-session-id") or self.session_id
        text = content.decode("utf-8", "replace")
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind == "text/event-stream":
            return _events(text)
        if kind == "application/json" and text.strip():
            found = json.loads(text)
            return found if isinstance(found, list) else [found]
        if status >= 400:
            raise failure(INTERNAL_ERROR, f"{self.url} returned HTTP status {status}")
        return []

    async def _send(self, method, body, seconds, redirects=0):
        seconds = seconds or self._seconds
        headers = {
            "Accept": "application/json, text/event-stream",
            "Content-Type": "application/json",
            **self._headers,
        }
        if self.session_id is not None:
            headers["Mcp-Session-Id"] = self.session_id
        if self._revision is not None:
            headers["MCP-Protocol-Version"] = self._revision
        meta = {
            "method": method,
            "url": self.url,
            "headers": header_list(headers, body),
            "connect_timeout_ms": None,
            "read_timeout_ms": None if seconds is None else seconds * 1000,
            "verify": True,
        }
        outcome, content = await exchange_async(meta, body)
        if outcome["kind"] == "error":
            raise failure(INTERNAL_ERROR, f"{self.url}: {outcome.get('message', 'no response')}")
        answered = {name.lower(): value for name, value in outcome["headers"]}
        if outcome["status"] in (307, 308) and redirects < _MOST_REDIRECTS:
            self._follow(answered.get("location", ""))
            return await self._send(method, body, seconds, redirects + 1)
        return outcome["status"], answered, bytes(content or b"")

    def _follow(self, location):
        """Go on at another address; what the caller sends along stays with the first host."""
        target = urllib.parse.urljoin(self.url, location)
        before, after = urllib.parse.urlsplit(self.url), urllib.parse.urlsplit(target)
        if (before.scheme, before.netloc) != (after.scheme, after.netloc):
            self._headers = {}
            self.session_id = None
        self.url = target


def _events(text):
    """Return the messages of an event stream."""
    found, data = [], []
    for line in [*text.splitlines(), ""]:
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif not line:
            joined, data = "\n".join(data), []
            if joined:
                found.append(json.loads(joined))
    return found
