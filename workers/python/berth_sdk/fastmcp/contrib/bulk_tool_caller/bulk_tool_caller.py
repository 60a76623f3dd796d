"""Two tools that call other tools of their server, several times in one request."""

from typing import Any

from berth_sdk.mcp.types import CallToolResult, TextContent
from pydantic import BaseModel, Field

from ...client import Client
from ...client.transports import FastMCPTransport
from ..mcp_mixin.mcp_mixin import _DEFAULT_SEPARATOR_TOOL, MCPMixin, mcp_tool


class CallToolRequest(BaseModel):
    """A call that is asked for."""

    tool: str = Field(description="The name of the tool to call.")
    arguments: dict[str, Any] = Field(
        description="A dictionary containing the arguments for the tool call."
    )


class CallToolRequestResult(CallToolResult):
    """What a call gave, and which call it was."""

    tool: str = Field(description="The name of the tool that was called.")
    arguments: dict[str, Any] = Field(description="The arguments used for the tool call.")

    @classmethod
    def from_call_tool_result(cls, result, tool, arguments):
        """Make one of a tool's result."""
        return cls(tool=tool, arguments=arguments, isError=result.isError, content=result.content)


class BulkToolCaller(MCPMixin):
    """Gives a server tools that call its tools."""

    _BULK_TOOL_NAMES = frozenset({"call_tools_bulk", "call_tool_bulk"})

    def register_tools(self, mcp_server, prefix=None, separator=_DEFAULT_SEPARATOR_TOOL):
        """Register the two tools; they keep their names, whatever the prefix."""
        self.connection = FastMCPTransport(mcp_server)
        super().register_tools(mcp_server)

    @mcp_tool()
    async def call_tools_bulk(
        self, tool_calls: list[CallToolRequest], continue_on_error: bool = True
    ) -> list[CallToolRequestResult]:
        """
        Call multiple tools registered on this MCP server in a single request. Each call can
         be for a different tool and can include different arguments. Useful for speeding up
         what would otherwise take several individual tool calls.
        """
        calls = [(call.tool, call.arguments) for call in tool_calls]
        return await self._called(calls, continue_on_error)

    @mcp_tool()
    async def call_tool_bulk(
        self,
        tool: str,
        tool_arguments: list[dict[str, str | int | float | bool | None]],
        continue_on_error: bool = True,
    ) -> list[CallToolRequestResult]:
        """
        Call a single tool registered on this MCP server multiple times with a single request.
         Each call can include different arguments. Useful for speeding up what would otherwise
         take several individual tool calls.

        Args:
            tool: The name of the tool to call.
            tool_arguments: A list of dictionaries, where each dictionary contains the arguments for an individual run of the tool.
        """  # noqa: E501 - clients see the text as the SDK has it
        calls = [(tool, arguments) for arguments in tool_arguments]
        return await self._called(calls, continue_on_error)

    async def _called(self, calls, continue_on_error):
        results = []
        for tool, arguments in calls:
            results.append(await self._call_tool(tool, arguments))
            if results[-1].isError and not continue_on_error:
                break
        return results

    async def _call_tool(self, tool, arguments):
        if tool in self._BULK_TOOL_NAMES:
            text = (
                "BulkToolCaller cannot call itself. "
                "The tools 'call_tools_bulk' and 'call_tool_bulk' are disallowed."
            )
            refusal = CallToolResult(content=[TextContent(type="text", text=text)], isError=True)
            return CallToolRequestResult.from_call_tool_result(refusal, tool, arguments)
        async with Client(self.connection) as client:
            result = await client.call_tool_mcp(name=tool, arguments=arguments)
        return CallToolRequestResult.from_call_tool_result(result, tool, arguments)
