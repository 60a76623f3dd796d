"""Where a client's server is: an object of this program, or an address."""

import pathlib
import re

from berth_runtime.connections.http import HttpConnection
from berth_runtime.connections.memory import MemoryConnection
from berth_sdk.mcp.client import sse, stdio
from berth_sdk.mcp.client.streamable_http import headers_with, seconds_of


class ClientTransport:
    """Base of transports: `connect` returns a connection."""

    def connect(self):
        """Return a new connection."""
        raise NotImplementedError

    def _set_auth(self, auth):
        if auth is not None:
            raise ValueError("This transport does not support auth")

    async def close(self):
        """Do nothing: connections are closed by their client."""


class FastMCPTransport(ClientTransport):
    """A server object of this program."""

    def __init__(self, mcp, raise_exceptions=False):
        self.server = mcp
        self.raise_exceptions = raise_exceptions

    def connect(self):
        """Return a new connection."""
        return MemoryConnection(self.server, self.raise_exceptions)

    def __repr__(self):
        return f"<FastMCPTransport(server='{self.server.name}')>"


class StreamableHttpTransport(ClientTransport):
    """A server at an address, over Streamable HTTP."""

    def __init__(self, url, headers=None, auth=None, sse_read_timeout=None, **_):
        self.url = str(url)
        if not re.match("https?://", self.url):
            raise ValueError("Invalid HTTP/S URL provided for Streamable HTTP.")
        self.headers = dict(headers or {})
        self.auth = auth
        self.seconds = seconds_of(sse_read_timeout)

    def connect(self):
        """Return a new connection."""
        return HttpConnection(self.url, headers_with(self.headers, self.auth), self.seconds)

    def _set_auth(self, auth):
        self.auth = auth

    def __repr__(self):
        return f"<StreamableHttpTransport(url='{self.url}')>"


class SSETransport(StreamableHttpTransport):
    """A server at an address, over the transport of revision 2024-11-05: not available."""

    def connect(self):
        """Refuse."""
        sse.refuse(self.url)

    def __repr__(self):
        return f"<SSETransport(url='{self.url}')>"


class StdioTransport(ClientTransport):
    """A server that is a process: not available."""

    def __init__(self, command=None, args=None, env=None, cwd=None, *_, **options):
        self.command = command
        self.args = list(args or ())
        self.env = env
        self.cwd = cwd
        self.options = options

    def connect(self):
        """Refuse."""
        stdio.refuse(self.command or type(self).__name__)


class PythonStdioTransport(StdioTransport):
    """A server that is a Python script in a process: not available."""

    def __init__(self, script_path, *arguments, **options):
        super().__init__(str(script_path), *arguments, **options)


class NodeStdioTransport(PythonStdioTransport):
    """A server that is a script of Node in a process: not available."""


class UvStdioTransport(StdioTransport):
    """A server that uv starts: not available."""


class UvxStdioTransport(StdioTransport):
    """A server that uvx starts: not available."""


class NpxStdioTransport(StdioTransport):
    """A server that npx starts: not available."""


class MCPConfigTransport(ClientTransport):
    """The servers of a configuration; several are offered as one, with their names as prefixes."""

    def __init__(self, config, name_as_prefix=True):
        self.config = config
        servers = {key: _configured(entry) for key, entry in _servers(config).items()}
        if not servers:
            raise ValueError("No MCP servers defined in the config")
        if len(servers) == 1:
            (self.transport,) = servers.values()
            return
        from ..server.proxy import ProxyClient
        from ..server.server import FastMCP

        joined = FastMCP("MCPConfig")
        for key, transport in servers.items():
            proxy = FastMCP.as_proxy(ProxyClient(transport), name=key)
            joined.mount(proxy, prefix=key if name_as_prefix else None)
        self.transport = FastMCPTransport(joined)

    def connect(self):
        """Return a new connection."""
        return self.transport.connect()


def _servers(config):
    if not isinstance(config, dict):
        config = config.model_dump(by_alias=True)
    return config.get("mcpServers", config)


def _configured(entry):
    if not isinstance(entry, dict):
        entry = entry.model_dump(exclude_none=True)
    if "url" not in entry:
        return StdioTransport(entry.get("command"), entry.get("args"), entry.get("env"))
    kind = entry.get("transport") or entry.get("type") or _kind(entry["url"])
    made = SSETransport if kind == "sse" else StreamableHttpTransport
    return made(entry["url"], entry.get("headers"), entry.get("auth"))


def _kind(url):
    return "sse" if re.search(r"/sse(/|\?|&|$)", str(url)) else "http"


def infer_transport(transport):
    """Return the transport that a client's first argument stands for; raises ValueError."""
    if isinstance(transport, ClientTransport):
        return transport
    if hasattr(transport, "is_empty") and hasattr(transport, "handle"):
        return FastMCPTransport(transport)
    if isinstance(transport, dict) or hasattr(transport, "mcpServers"):
        return MCPConfigTransport(transport)
    text = str(transport)
    if re.match("https?://", text):
        return (SSETransport if _kind(text) == "sse" else StreamableHttpTransport)(text)
    if isinstance(transport, (str, pathlib.Path)) and pathlib.Path(transport).exists():
        if text.endswith(".py"):
            return PythonStdioTransport(text)
        if text.endswith(".js"):
            return NodeStdioTransport(text)
        raise ValueError(f"Unsupported script type: {text}")
    raise ValueError(f"Could not infer a valid transport from: {transport}")
