"""Tools of version 2: what a tool did not mean to tell stays on the server."""

import types
import typing

from berth_runtime.model.compile import compile_type
from berth_runtime.model.errors import ValidationError
from berth_runtime.model.nodes.classes import is_typed_dict
from berth_runtime.model.schema import json_schema
from berth_runtime.serving.content import Audio, Image
from berth_runtime.serving.errors import McpError
from berth_runtime.serving.parameters import signature_of
from berth_runtime.serving.results import Output, Unfit
from berth_runtime.tracebacks import limit_of
from berth_sdk.mcp.types import ContentBlock

from ...fastmcp.tools import Tool as FirstTool
from ...fastmcp.tools import ToolManager as FirstToolManager
from ...fastmcp.utilities.logging import get_logger
from ..exceptions import ResourceError, ToolError, UnexpectedResourceError, UnexpectedToolError

_log = get_logger(__name__)
_CONTENT = (*typing.get_args(ContentBlock), Image, Audio)
_HOLDERS = (list, tuple, typing.Union, types.UnionType)


class Tool(FirstTool):
    """A registered tool."""

    @classmethod
    def from_function(cls, fn, name=None, structured_output=None, **details):
        """Make a tool of a function; content blocks that it returns are no structured output."""
        returned = signature_of(fn).return_annotation if callable(fn) else None
        if structured_output is None and _is_content(returned):
            structured_output = False
        make = super().from_function
        made = make(fn, name=name, structured_output=structured_output, **details)
        if made.output is not None and is_typed_dict(returned):
            # Keys that may be absent stay absent, where version 1 makes them null.
            node = compile_type(returned)
            made.output = Output(returned.__name__, node, json_schema(node, writing=True), False)
        return made

    async def _finished(self, arguments, context, convert):
        """Call the function with validated arguments; raises ToolError, or McpError as it is."""
        prefix = f"Error executing tool {self.name}"
        try:
            values = self.fn_metadata.validate(arguments)
        except ValidationError as error:
            raise ToolError(f"{prefix}: {error}") from error
        try:
            if self.context_kwarg is not None:
                values[self.context_kwarg] = context
            result = await self._called(values)
            return result if convert is None else convert(result)
        except McpError, Unfit:
            raise
        except (UnexpectedToolError, UnexpectedResourceError) as error:
            raise UnexpectedToolError(f"{prefix}: {error}") from error
        except (ToolError, ResourceError) as error:
            raise ToolError(f"{prefix}: {error}") from error
        except Exception as error:
            _log.exception("Tool %r raised an unexpected exception", self.name)
            raise UnexpectedToolError(prefix + limit_of(error)) from error


class ToolManager(FirstToolManager):
    """Registers tools; the first of a name stays."""

    tool_class = Tool


def _is_content(annotation):
    """Return whether an annotation stands for content blocks, alone, in lists or in unions."""
    origin = typing.get_origin(annotation)
    if origin is typing.Annotated:
        return _is_content(typing.get_args(annotation)[0])
    if origin is None:
        return isinstance(annotation, type) and issubclass(annotation, _CONTENT)
    return origin in _HOLDERS and any(map(_is_content, typing.get_args(annotation)))
