"""One tool: the function behind it, its schemas, and how it is called."""

import inspect

from berth_runtime.model.dump import to_json, to_jsonable
from berth_runtime.model.errors import ValidationError
from berth_runtime.serving.call_parameters import CallParameters
from berth_runtime.serving.content import block_of, text_block
from berth_runtime.serving.context import settled
from berth_runtime.serving.parameters import name_of

from berth_sdk.mcp import types
from berth_sdk.versions import current

from ..server.dependencies import injected, injected_values
from ..utilities.components import FastMCPComponent
from .output import output_schema_of

UNSET = object()


class ToolResult:
    """What a tool returns when it wants to choose content and structured content itself."""

    def __init__(self, content=None, structured_content=None, meta=None, is_error=False):
        if content is None and structured_content is None:
            raise ValueError("Either content or structured_content must be provided")
        self.content = content_of(structured_content if content is None else content)
        self.meta = meta
        self.is_error = is_error
        if structured_content is not None:
            structured_content = to_jsonable(structured_content)
            if not isinstance(structured_content, dict):
                raise ValueError(
                    "structured_content must be a dict or None. "
                    f"Got {type(structured_content).__name__}: {structured_content!r}. "
                    "Tools should wrap non-dict values based on their output_schema."
                )
        self.structured_content = structured_content

    def to_mcp_result(self):
        """Return the result in the form that handlers of the SDK give it."""
        if self.meta is not None:
            made = {"content": self.content, "structuredContent": self.structured_content}
            return types.CallToolResult(**made, _meta=self.meta)
        if self.structured_content is None:
            return self.content
        return self.content, self.structured_content


class Tool(FastMCPComponent):
    """A registered tool. It can still be called like the function it was made of."""

    # Whether it is an operation of an API that is described with OpenAPI.
    is_of_api = False

    def __init__(self, fn, parameters, providers, name, description, **details):
        self.fn = fn
        self._call_parameters = parameters
        self._providers = providers
        self._describe(name, _input_schema(parameters), description=description, **details)

    def _describe(self, name, parameters, output_schema=None, **details):
        """Set what a tool says about itself."""
        self.name = self.key = name
        self.description = details.get("description")
        self.title = details.get("title")
        self.tags = set(details.get("tags") or ())
        self.annotations = details.get("annotations")
        self.icons = details.get("icons")
        self.meta = details.get("meta")
        self.enabled = details.get("enabled") is not False
        self.serializer = details.get("serializer")
        self.output_schema = output_schema
        self.parameters = parameters

    def __call__(self, *arguments, **named):
        return self.fn(*arguments, **named)

    @classmethod
    def from_function(cls, fn, name=None, description=None, output_schema=UNSET, **details):
        """Make a tool of a function; raises ValueError for functions that cannot be one."""
        for parameter in inspect.signature(fn).parameters.values():
            if parameter.kind is parameter.VAR_POSITIONAL:
                raise ValueError("Functions with *args are not supported as tools")
            if parameter.kind is parameter.VAR_KEYWORD:
                raise ValueError("Functions with **kwargs are not supported as tools")
        if (name or name_of(fn)) == "<lambda>":
            raise ValueError("You must provide a name for lambda functions")
        doc, said = current("fastmcp").documented(fn)
        called_name = name or name_of(fn)
        if not inspect.isroutine(fn):
            fn = fn.__call__
        providers = injected(fn)
        hidden = details.pop("exclude_args", None) or ()
        if output_schema is UNSET:
            output_schema = output_schema_of(fn)
        elif output_schema is not None and output_schema.get("type") != "object":
            raise ValueError(
                "Output schemas must represent object types due to MCP spec limitations. "
                f"Received: {output_schema!r}"
            )
        parameters = CallParameters(fn, providers, hidden=hidden)
        made = FunctionTool(
            fn,
            parameters,
            providers,
            called_name,
            description or doc,
            output_schema=output_schema,
            **details,
        )
        for key, text in said.items():
            made.parameters["properties"].get(key, {}).setdefault("description", text)
        return made

    @classmethod
    def from_tool(cls, tool, **changes):
        """Make a tool of another one: renamed, with other arguments, with a function around it."""
        from .tool_transform import TransformedTool

        return TransformedTool.from_tool(tool, **changes)

    def to_mcp_tool(self, *, include_fastmcp_meta=None, **overrides):
        """Return the tool as the protocol's type has it."""
        shape = {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": self.parameters,
            "outputSchema": self.output_schema,
            "annotations": self.annotations,
            "icons": self.icons,
            "_meta": self.get_meta(include_fastmcp_meta),
        }
        return types.Tool(**{**shape, **overrides})

    def _switch(self, enabled):
        self.enabled = enabled
        if self.owner is not None:
            self.owner.note_change("tool")

    async def run(self, arguments):
        """Call the function with validated arguments and return a ToolResult."""
        try:
            values = self._call_parameters.validate(arguments)
        except ValidationError as error:
            error.of_arguments = True
            raise
        values.update(await injected_values(self._providers))
        result = await settled(self.fn(**values))
        return result_of(result, self.output_schema, self.serializer)


def _input_schema(parameters):
    return current("fastmcp").input_schema(parameters)


class FunctionTool(Tool):
    """A tool that was made of a function."""


def result_of(result, schema, serializer):
    """Return what a function returned as a ToolResult, for an output schema or none."""
    result = current("fastmcp").plain_result(result)
    if isinstance(result, ToolResult):
        return result
    content = content_of(result, serializer)
    if schema is None:
        return _unannounced(result, content)
    wrap = schema.get("x-fastmcp-wrap-result")
    meta = current("fastmcp").wrapped_meta if wrap else None
    return ToolResult(content, {"result": result} if wrap else result, meta)


def _unannounced(result, content):
    """Structured content without a schema: of results that are dictionaries in JSON."""
    items = result if isinstance(result, (list, tuple)) else [result]
    if not any(block_of(item) is not None for item in items):
        try:
            data = to_jsonable(result)
            if isinstance(data, dict):
                return ToolResult(content, data)
        except TypeError, ValueError:
            pass  # no JSON: content only
    return ToolResult(content)


def content_of(result, serializer=None):
    """Return content blocks: a list without blocks becomes one text."""
    if result is None:
        return []
    if isinstance(result, (list, tuple)):
        blocks = [block_of(item) for item in result]
        if result and any(block is not None for block in blocks) or not result:
            return [
                block if block is not None else _text(item, serializer)
                for item, block in zip(result, blocks)
            ]
        return [_text(result, serializer)]
    block = block_of(result)
    return [block if block is not None else _text(result, serializer)]


def _text(value, serializer):
    if isinstance(value, str):
        return text_block(value)
    if serializer is not None:
        return text_block(serializer(value))
    return text_block(to_json(value, fallback=str))
