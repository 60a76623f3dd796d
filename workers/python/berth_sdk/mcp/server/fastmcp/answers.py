"""What a FastMCP server answers to the client's requests, in the form that goes over the wire."""

from berth_runtime.serving.content import text_block, wire
from berth_runtime.serving.errors import INVALID_PARAMS, RESOURCE_NOT_FOUND, failure
from berth_runtime.serving.resources import contents_of, described
from berth_runtime.serving.results import Unfit
from berth_runtime.tracebacks import reason_of
from berth_sdk.mcp.types import CallToolResult

from .exceptions import ToolError


class Answers:
    """Listing and calling; mixed into the server class."""

    async def wire_tools(self):
        """Answer tools/list."""
        return [_tool(tool) for tool in self._tool_manager.list_tools()]

    async def wire_call(self, name, arguments):
        """Answer tools/call; a tool's failure is a result, an unknown tool an error."""
        tool = self._tool_manager.get_tool(name)
        if tool is None:
            raise failure(INVALID_PARAMS, f"Unknown tool: {name}")
        try:
            return await tool.wire_run(arguments, self.get_context())
        except (ToolError, Unfit) as error:
            return wire(CallToolResult(content=[text_block(str(error))], isError=True))

    async def wire_resources(self):
        """Answer resources/list."""
        return [
            {"uri": item.uri, "name": item.name, "mimeType": item.mime_type, **described(item)}
            for item in self._resources.values()
        ]

    async def wire_templates(self):
        """Answer resources/templates/list."""
        return [
            {
                "uriTemplate": item.uri_template,
                "name": item.name,
                "mimeType": item.mime_type,
                **described(item),
            }
            for item in self._templates.values()
        ]

    async def wire_read(self, uri):
        """Answer resources/read."""
        resource = self._resources.get(uri)
        if resource is not None:
            try:
                value = await resource.read(self.get_context())
            except Exception as error:
                raise failure(0, f"Error reading resource {uri}: {reason_of(error)}") from error
            return [contents_of(uri, resource.mime_type, value, resource.meta)]
        for template in self._templates.values():
            arguments = template.matches(uri)
            if arguments is not None:
                try:
                    value = await template.read(arguments, self.get_context())
                except Exception as error:
                    text = "Error creating resource from template: "
                    raise failure(0, f"{text}{text}{reason_of(error)}") from error
                return [contents_of(uri, template.mime_type, value, template.meta)]
        raise failure(RESOURCE_NOT_FOUND, f"Unknown resource: {uri}", {"uri": uri})

    async def wire_prompts(self):
        """Answer prompts/list."""
        return [
            {"name": prompt.name, **described(prompt), "arguments": prompt.arguments()}
            for prompt in self._prompts.values()
        ]

    async def wire_prompt(self, name, arguments):
        """Answer prompts/get."""
        prompt = self._prompts.get(name)
        if prompt is None:
            raise failure(INVALID_PARAMS, f"Unknown prompt: {name}")
        missing = prompt.missing(arguments)
        if missing:
            raise failure(INVALID_PARAMS, f"Missing required arguments: {missing}")
        try:
            messages = await prompt.render(arguments, self.get_context())
        except Exception as error:
            raise self._prompt_failure(name, error)
        return {"description": prompt.description, "messages": messages}

    def _prompt_failure(self, name, error):
        """Return what the client is told when a prompt's function raises an error."""
        return failure(0, f"Error rendering prompt {name}: {reason_of(error)}")


def _tool(tool):
    shape = {"name": tool.name, **described(tool), "inputSchema": tool.parameters}
    if tool.output_schema is not None:
        shape["outputSchema"] = tool.output_schema
    return shape
