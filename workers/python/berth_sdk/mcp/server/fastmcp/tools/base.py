"""One tool: the function behind it, its schemas, and how it is called."""

import inspect

from berth_runtime.serving.content import blocks_of, wire, wire_blocks
from berth_runtime.serving.context import settled
from berth_runtime.serving.errors import UrlElicitationRequiredError
from berth_runtime.serving.parameters import Parameters, context_parameter, name_of
from berth_runtime.serving.results import Output, Unfit, output_of
from berth_runtime.tracebacks import reason_of
from berth_sdk.mcp.types import CallToolResult

from ..exceptions import ToolError


class Tool:
    """A registered tool."""

    def __init__(self, fn, name, description, **details):
        self.fn = fn
        self.name = name
        self.description = description
        self.title = details.get("title")
        self.annotations = details.get("annotations")
        self.icons = details.get("icons")
        self.meta = details.get("meta")
        self.context_kwarg = details.get("context_kwarg")
        self.fn_metadata = details["fn_metadata"]
        self.output = details.get("output")
        self.parameters = self.fn_metadata.schema()
        self.is_async = inspect.iscoroutinefunction(fn)

    @property
    def output_schema(self):
        """The output schema, or None."""
        return self.output.schema if self.output else None

    @classmethod
    def from_function(
        cls,
        fn,
        name=None,
        title=None,
        description=None,
        context_kwarg=None,
        annotations=None,
        icons=None,
        meta=None,
        structured_output=None,
        **_,
    ):
        """Make a tool of a function; raises ValueError for a lambda without a name."""
        from ..server import Context

        if not callable(fn):
            raise AttributeError(f"{type(fn).__name__!r} object has no attribute '__name__'")
        name = name or name_of(fn)
        if name == "<lambda>":
            raise ValueError("You must provide a name for lambda functions")
        context = context_kwarg or context_parameter(fn, Context)
        parameters = Parameters(fn, skip=(context,) if context else ())
        return cls(
            fn,
            name,
            description if description else fn.__doc__ or "",
            title=title,
            annotations=annotations,
            icons=icons,
            meta=meta,
            context_kwarg=context,
            fn_metadata=parameters,
            output=_output(fn, parameters.returned, structured_output),
        )

    async def _called(self, values):
        # In a coroutine of its own, where StopIteration becomes a RuntimeError as it should.
        return await settled(self.fn(**values))

    async def run(self, arguments, context=None, convert_result=False):
        """Call the function with validated arguments; raises ToolError."""
        return await self._finished(arguments, context, self.convert if convert_result else None)

    async def wire_run(self, arguments, context):
        """Do what `run` does; returns the CallToolResult as it goes over the wire."""
        return await self._finished(arguments, context, self._wired)

    async def _finished(self, arguments, context, convert):
        try:
            values = self.fn_metadata.validate(arguments)
            if self.context_kwarg is not None:
                values[self.context_kwarg] = context
            result = await self._called(values)
            return result if convert is None else convert(result)
        except UrlElicitationRequiredError, Unfit:
            raise
        except Exception as error:
            raise ToolError(f"Error executing tool {self.name}: {reason_of(error)}") from error

    def convert(self, result):
        """Return a CallToolResult for what the function returned."""
        if isinstance(result, CallToolResult):
            if isinstance(self.output, Output) and not self.output.wrap:
                self.output.structured(result.structuredContent)
            return result
        made = CallToolResult(content=blocks_of(result))
        if self.output is not None:
            made.structuredContent = self.output.structured(result)
        return made

    def _wired(self, result):
        if isinstance(result, CallToolResult):
            return wire(self.convert(result))
        made = {"content": wire_blocks(result)}
        if self.output is not None:
            made["structuredContent"] = self.output.structured(result)
        made["isError"] = False
        return made


def _output(fn, returned, structured_output):
    """CallToolResult as a return annotation means that the function makes its own result."""
    import typing

    arguments = typing.get_args(returned)
    if returned is CallToolResult:
        return None
    if typing.get_origin(returned) is typing.Annotated and arguments[0] is CallToolResult:
        return output_of(fn, arguments[1], structured_output)
    return output_of(fn, returned, structured_output)
