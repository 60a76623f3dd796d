"""A server with a lifespan: what it yields is there in every kind of handler."""

import contextlib
import dataclasses

from sdk import SDK, Context, FastMCP
from table import call


@dataclasses.dataclass
class App:
    name: str
    calls: int = 0


@contextlib.asynccontextmanager
async def lifespan(server):
    app = App(server.name)
    try:
        yield app
    finally:
        app.name = "closed"


mcp = FastMCP("lifespan", instructions="Has a lifespan", lifespan=lifespan)


def app_of(ctx):
    app = ctx.request_context.lifespan_context
    app.calls += 1
    return f"{type(app).__name__} {app.name} {app.calls}"


@mcp.tool()
def sync_tool(ctx: Context) -> str:
    return app_of(ctx)


@mcp.tool()
async def async_tool(ctx: Context) -> str:
    return app_of(ctx)


@mcp.tool()
def low_level() -> str:
    return mcp._mcp_server.request_context.lifespan_context.name


@mcp.tool()
async def nested(ctx: Context) -> str:
    if SDK == "mcp":
        return str(await mcp.call_tool("sync_tool", {}))
    found = [*await ctx.read_resource("data://x/app")]
    return found[0].content


@mcp.resource("data://{key}/app")
def template(key: str, ctx: Context) -> str:
    return f"{key} {app_of(ctx)}"


@mcp.prompt()
def prompt(ctx: Context) -> str:
    return app_of(ctx)


REQUESTS = [
    call("sync_tool"),
    call("async_tool"),
    call("low_level"),
    call("nested"),
    ("resources/read", {"uri": "data://k/app"}),
    ("prompts/get", {"name": "prompt"}),
    ("prompts/list", {}),
    call("sync_tool"),
]
