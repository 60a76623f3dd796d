"""The stdio transport of clients: it starts processes, which the sandbox does not have."""

import contextlib

from berth_runtime.model import BaseModel


class StdioServerParameters(BaseModel):
    """How a server would be started."""

    command: str
    args: list[str] = []
    env: dict[str, str] | None = None
    cwd: str | None = None
    encoding: str = "utf-8"
    encoding_error_handler: str = "strict"


def refuse(command):
    """Say that a server cannot be started as a process."""
    raise RuntimeError(
        f"{command!r} cannot be started: processes are not available in the sandbox. "
        "Connect to the server over HTTP, or to a server object in this program"
    )


@contextlib.asynccontextmanager
async def stdio_client(server, *_, **__):
    """Refuse."""
    refuse(server.command)
    yield None, None
