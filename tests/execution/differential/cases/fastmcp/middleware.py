"""Middleware around every kind of request."""

from fastmcp import FastMCP
from fastmcp.exceptions import ToolError
from fastmcp.server.middleware import Middleware, MiddlewareContext
from fastmcp.tools.tool import ToolResult
from table import call

mcp = FastMCP("middleware")
seen = []


class Watching(Middleware):
    async def on_message(self, context: MiddlewareContext, call_next):
        seen.append(f"message {context.method} {context.type} {context.source}")
        return await call_next(context)

    async def on_request(self, context: MiddlewareContext, call_next):
        seen.append(f"request {type(context.message).__name__}")
        return await call_next(context)

    async def on_call_tool(self, context: MiddlewareContext, call_next):
        seen.append(f"call {context.message.name} {context.message.arguments}")
        if context.message.name == "refused":
            raise ToolError("not this tool")
        if context.message.name == "broken":
            raise ValueError("broken middleware")
        if context.message.name == "answered":
            return ToolResult(content="from middleware")
        if context.message.name == "doubled":
            given = {"a": context.message.arguments["a"] * 2}
            changed = context.message.model_copy(update={"arguments": given})
            context = context.copy(message=changed)
        result = await call_next(context)
        seen.append(f"result {type(result).__name__} {result.structured_content}")
        return result

    async def on_list_tools(self, context: MiddlewareContext, call_next):
        return [tool for tool in await call_next(context) if tool.name != "hidden"]

    async def on_read_resource(self, context: MiddlewareContext, call_next):
        seen.append(f"read {context.message.uri}")
        contents = await call_next(context)
        seen.append(f"contents {contents[0].content}")
        return contents

    async def on_get_prompt(self, context: MiddlewareContext, call_next):
        result = await call_next(context)
        seen.append(f"prompt {context.message.name} {len(result.messages)}")
        return result

    async def on_list_resources(self, context: MiddlewareContext, call_next):
        return [item for item in await call_next(context) if "secret" not in str(item.uri)]


class Inner(Middleware):
    async def on_call_tool(self, context: MiddlewareContext, call_next):
        seen.append("inner")
        context.fastmcp_context.set_state("user", "ada")
        return await call_next(context)


mcp.add_middleware(Watching())
mcp.add_middleware(Inner())


@mcp.tool
def doubled(a: int) -> int:
    return a


@mcp.tool
def hidden() -> str:
    return "hidden"


@mcp.tool
def refused() -> str:
    return "refused"


@mcp.tool
def broken() -> str:
    return "broken"


@mcp.tool
def answered() -> str:
    return "answered"


@mcp.tool
def failing() -> str:
    raise ValueError("failed")


@mcp.tool
def told() -> list[str]:
    """Say what middleware has seen."""
    found = list(seen)
    seen.clear()
    return found


@mcp.resource("data://open")
def open_data() -> str:
    return "open"


@mcp.resource("data://secret")
def secret_data() -> str:
    return "secret"


@mcp.prompt
def hello(name: str) -> str:
    return f"Hello {name}"


REQUESTS = [
    ("tools/list", {}),
    call("told"),
    call("doubled", a=2),
    call("doubled", a="x"),
    call("refused"),
    call("broken"),
    call("answered"),
    call("failing"),
    call("told"),
    ("resources/list", {}),
    ("resources/read", {"uri": "data://open"}),
    ("resources/read", {"uri": "data://none"}),
    ("prompts/list", {}),
    ("prompts/get", {"name": "hello", "arguments": {"name": "Ada"}}),
    ("prompts/get", {"name": "none"}),
    call("told"),
]
