"""Clients of a server object of the same program."""

import contextlib

from berth_runtime.connections.memory import MemoryConnection

from ..client.session import ClientSession


@contextlib.asynccontextmanager
async def create_connected_server_and_client_session(
    server, read_timeout_seconds=None, *_, raise_exceptions=False, **callbacks
):
    """Yield a session with a server, that has been initialized."""
    connection = MemoryConnection(server, raise_exceptions)
    async with ClientSession(connection, None, read_timeout_seconds, **callbacks) as session:
        await session.initialize()
        yield session
