"""A low-level server with next to nothing: what it declares and refuses."""

import mcp.types as types
from mcp.server import Server

mcp = Server("empty")


@mcp.list_prompts()
async def prompts():
    return []


REQUESTS = [("ping", {}), ("prompts/list", {})]
