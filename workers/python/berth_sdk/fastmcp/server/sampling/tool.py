"""A function that the client's model may use."""

import inspect

from berth_runtime.serving.call_parameters import CallParameters
from berth_runtime.serving.context import settled
from berth_runtime.serving.parameters import name_of
from berth_sdk.mcp.types import TextContent, ToolResultContent
from berth_sdk.mcp.types import Tool as ListedTool

from ...exceptions import ToolError


class SamplingTool:
    """A tool for sampling: what the model is told about it, and the function behind it."""

    def __init__(self, name, parameters, fn, description=None):
        self.name = name
        self.description = description
        self.parameters = parameters
        self.fn = fn

    @classmethod
    def from_function(cls, fn, *, name=None, description=None):
        """Make a tool of a function; raises ValueError for a lambda without a name."""
        called = name or name_of(fn)
        if called == "<lambda>":
            raise ValueError("You must provide a name for lambda functions")
        doc = description or inspect.getdoc(fn)
        return cls(called, CallParameters(fn).schema(), fn, doc)

    async def run(self, arguments=None):
        """Call the function; its result is any value."""
        return await settled(self.fn(**(arguments or {})))

    def listed(self):
        """Return what the model is told."""
        return ListedTool(name=self.name, description=self.description, inputSchema=self.parameters)


def tools_of(given):
    """Return functions and tools as tools, or None when there are none; raises TypeError."""
    made = []
    for item in given or ():
        if not isinstance(item, SamplingTool):
            if not callable(item):
                raise TypeError(f"Expected SamplingTool or callable, got {type(item)}")
            item = SamplingTool.from_function(item)
        made.append(item)
    return made or None


async def results_of(uses, tools, mask_error_details):
    """Call the tools that a model wants to use; failures are results too."""
    by_name = {tool.name: tool for tool in tools or ()}
    return [await _result(use, by_name.get(use.name), mask_error_details) for use in uses]


async def _result(use, tool, mask):
    if tool is None:
        return result_block(use.id, f"Error: Unknown tool '{use.name}'", failed=True)
    try:
        return result_block(use.id, str(await tool.run(use.input)))
    except ToolError as error:
        return result_block(use.id, str(error), failed=True)
    except Exception as error:
        text = f"Error executing tool '{use.name}'"
        return result_block(use.id, text if mask else f"{text}: {error}", failed=True)


def result_block(identity, text, failed=False):
    """Return the block that tells a model what came of its use of a tool."""
    told = {"isError": True} if failed else {}
    content = [TextContent(type="text", text=text)]
    return ToolResultContent(type="tool_result", toolUseId=identity, content=content, **told)
