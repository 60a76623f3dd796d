"""What a server starts with."""

from berth_runtime.model import BaseModel
from berth_sdk.mcp.types import ServerCapabilities


class InitializationOptions(BaseModel):
    """Name, version and capabilities of a server."""

    server_name: str
    server_version: str
    capabilities: ServerCapabilities
    instructions: str | None = None
