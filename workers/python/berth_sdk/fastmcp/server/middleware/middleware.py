"""Middleware: objects that see every request and may change it, its answer, or refuse it."""

import collections.abc
import dataclasses
import datetime
import functools
import typing

CallNext = collections.abc.Callable
_T = typing.TypeVar("_T")
_HOOKS = {
    "tools/call": "on_call_tool",
    "resources/read": "on_read_resource",
    "prompts/get": "on_get_prompt",
    "tools/list": "on_list_tools",
    "resources/list": "on_list_resources",
    "resources/templates/list": "on_list_resource_templates",
    "prompts/list": "on_list_prompts",
}


def _now():
    return datetime.datetime.now(datetime.timezone.utc)


@dataclasses.dataclass(kw_only=True, frozen=True)
class MiddlewareContext(typing.Generic[_T]):
    """What is asked: `message` has the parameters of the request."""

    message: _T
    fastmcp_context: typing.Any = None
    source: str = "client"
    type: str = "request"
    method: str | None = None
    timestamp: datetime.datetime = dataclasses.field(default_factory=_now)

    def copy(self, **changes):
        """Return the same with some fields replaced."""
        return dataclasses.replace(self, **changes)


class Middleware:
    """Base of middleware. A hook calls `call_next(context)` to go on."""

    async def __call__(self, context, call_next):
        """Call the hooks for a request: for any message, for requests, for the method."""
        hook = _HOOKS.get(context.method)
        if hook is not None:
            call_next = functools.partial(getattr(self, hook), call_next=call_next)
        kind = self.on_request if context.type == "request" else self.on_notification
        return await self.on_message(context, functools.partial(kind, call_next=call_next))

    async def on_message(self, context, call_next):
        """Called for everything."""
        return await call_next(context)


async def _pass_on(_self, context, call_next):
    return await call_next(context)


for _name in ("on_request", "on_notification", "on_initialize", *_HOOKS.values()):
    setattr(Middleware, _name, _pass_on)


async def through(middleware, context, answer):
    """Return the answer to a request, or what the middleware around it makes of it."""
    for item in reversed(middleware):
        answer = functools.partial(item, call_next=answer)
    return await answer(context)
