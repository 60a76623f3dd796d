"""Ready-made middleware: failures, retries, limits."""

from fastmcp import FastMCP
from fastmcp.exceptions import NotFoundError, ToolError
from fastmcp.server.middleware.error_handling import ErrorHandlingMiddleware, RetryMiddleware
from fastmcp.server.middleware.rate_limiting import (
    RateLimitingMiddleware,
    SlidingWindowRateLimitingMiddleware,
)
from table import call

mcp = FastMCP("ready")
told, tries = [], []


def on_error(error, context):
    told.append(f"{type(error).__name__} {error} {context.method}")
    if "value" in str(error):
        raise RuntimeError("callback")


def client_of(context):
    return getattr(context.message, "name", "other")


handling = ErrorHandlingMiddleware(error_callback=on_error)
mcp.add_middleware(handling)
# So slow that no time of a run fills it again.
mcp.add_middleware(RateLimitingMiddleware(1e-9, burst_capacity=1000, global_limit=True))
mcp.add_middleware(SlidingWindowRateLimitingMiddleware(2, 600, get_client_id=client_of))
mcp.add_middleware(RetryMiddleware(2, base_delay=0.001, retry_exceptions=(ToolError,)))
ERRORS = {
    "value": ValueError("value"),
    "missing": FileNotFoundError("missing"),
    "denied": PermissionError("denied"),
    "late": TimeoutError("late"),
    "gone": NotFoundError("gone"),
    "other": RuntimeError("other"),
    "plain": ToolError("plain"),
}


def failing(name, error):
    """Register a tool and a resource that raise an error."""

    def fails():
        tries.append(name)
        raise error

    mcp.tool(fails, name=name)
    mcp.resource(f"fail://{name}", name=name)(fails)


for name, error in ERRORS.items():
    failing(name, error)


@mcp.tool
def fine(key: str = "a") -> str:
    return f"fine {key}"


@mcp.prompt
def hello() -> str:
    return "Hello"


@mcp.tool
def stats() -> list[str]:
    """Say what was counted and told."""
    counted = [f"{key}: {count}" for key, count in handling.get_error_stats().items()]
    return [*counted, *told, str(len(tries))]


REQUESTS = [
    ("tools/list", {}),
    *[call(name) for name in ERRORS],
    *[("resources/read", {"uri": f"fail://{name}"}) for name in ("value", "missing")],
    call("stats"),
    *[call("fine") for _ in range(4)],
    call("fine", key=5),
    ("prompts/get", {"name": "hello"}),
    ("prompts/get", {"name": "hello"}),
    ("prompts/get", {"name": "hello"}),
    call("stats"),
]
