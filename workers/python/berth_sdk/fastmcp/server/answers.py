"""What a FastMCP 2 server answers to the client's requests, in the form of the wire."""

from berth_runtime.model.dump import to_jsonable
from berth_runtime.model.errors import ValidationError
from berth_runtime.serving.content import text_block, wire
from berth_runtime.serving.errors import (
    INVALID_PARAMS,
    RESOURCE_NOT_FOUND,
    McpError,
    UrlElicitationRequiredError,
    failure,
)
from berth_runtime.serving.resources import contents_of, described
from berth_runtime.serving.results import Unfit, conforming
from berth_runtime.tracebacks import limit_of, reason_of
from berth_sdk.mcp import types
from berth_sdk.mcp.server.lowlevel.helper_types import ReadResourceContents
from berth_sdk.versions import current

from ..exceptions import FastMCPError, ResourceError, ToolError
from .middleware.middleware import MiddlewareContext, through


class Answers:
    """Listing and calling; mixed into the server class."""

    def _offered(self, items):
        """Return the pairs that are switched on and that the server's tags include."""
        wanted, refused = self._include_tags, self._exclude_tags
        return [
            (key, item)
            for key, item in items.items()
            if item.enabled
            and (wanted is None or item.tags & set(wanted))
            and (refused is None or not item.tags & set(refused))
        ]

    async def _through(self, method, message, answer):
        """Return the answer to a request, with the middleware around it."""
        if not self.middleware:
            return await answer(MiddlewareContext(message=message, method=method))
        if method in ("resources/list", "resources/templates/list"):
            plain = MiddlewareContext(message={}, fastmcp_context=self.get_context(), method=method)
            return await through(self.middleware, plain, answer)
        known = types.REQUESTS_BY_METHOD[method].model_validate(
            {"method": method, "params": message}
        )
        return await through(
            self.middleware,
            MiddlewareContext(
                message=known.params if known.params is not None else known,
                fastmcp_context=self.get_context(),
                method=method,
            ),
            answer,
        )

    async def greet(self, client):
        """Let the middleware see who the client is; it has been answered already."""

        async def answer(_context):
            return None

        if self.middleware:
            kind = types.REQUESTS_BY_METHOD["initialize"]
            message = kind.model_validate({"method": "initialize", "params": client})
            context = MiddlewareContext(
                message=message, fastmcp_context=self.get_context(), method="initialize"
            )
            await through(self.middleware, context, answer)

    async def _listed(self, method, getter):
        async def answer(_context):
            return [item for _, item in self._offered(await getter())]

        return await self._through(method, None, answer)

    async def wire_tools(self):
        """Answer tools/list."""
        return [_tool(tool) for tool in await self._listed("tools/list", self.get_tools)]

    async def wire_call(self, name, arguments):
        """Answer tools/call; a tool's failure is a result, an unknown tool an error."""
        context, used = self.get_context(), []

        async def answer(asked):
            name, given = _parts(asked.message, "name", "arguments")
            tool = dict(self._offered(await self.get_tools())).get(name)
            if tool is None:
                raise NotOffered(INVALID_PARAMS, current("fastmcp").unknown_tool(name))
            used.append(tool)
            return await self._run(name, tool, given or {})

        try:
            asked = {"name": name, "arguments": arguments}
            gated = (lambda it: self.gated(it, answer)()) if self._extensions else answer
            result = await self._through("tools/call", asked, gated)
            tool = used[0] if used else (await self.get_tools()).get(name)
            return _result(result, tool.output_schema if tool is not None else None)
        except UrlElicitationRequiredError, NotOffered:
            raise
        except Exception as error:
            if isinstance(error, McpError) and current("fastmcp").raises_in_calls:
                raise
            return {"content": [wire(text_block(str(error)))], "isError": True}
        finally:
            context.tell_changes()

    async def _run(self, name, tool, arguments):
        try:
            return await tool.run(arguments)
        except UrlElicitationRequiredError, FastMCPError, Unfit:
            raise
        except Exception as error:
            if isinstance(error, ValidationError) and current("fastmcp").is_told(error):
                raise
            if isinstance(error, McpError) and current("fastmcp").raises_in_calls:
                raise
            text = f"Error calling tool {name!r}"
            shown = limit_of(error) if self._mask else f": {reason_of(error)}"
            raise ToolError(text + shown) from error

    async def wire_resources(self):
        """Answer resources/list."""
        listed = await self._listed("resources/list", self.get_resources)
        return [{"uri": item.uri, **_described_contents(item)} for item in listed]

    async def wire_templates(self):
        """Answer resources/templates/list."""
        listed = await self._listed("resources/templates/list", self.get_resource_templates)
        return [{"uriTemplate": item.uri_template, **_described_contents(item)} for item in listed]

    async def wire_read(self, uri):
        """Answer resources/read."""
        self.get_context()

        async def answer(asked):
            (address,) = _parts(asked.message, "uri")
            return [await self._contents(str(address))]

        read = await self._through("resources/read", {"uri": uri}, answer)
        return [contents_of(uri, item.mime_type, item.content, item.meta) for item in read]

    async def _contents(self, uri):
        resource = dict(self._offered(await self.get_resources())).get(uri)
        if resource is not None:
            value = await self._read(resource.read(), f"Error reading resource {uri!r}")
            return _contents(resource, value)
        for key, template in self._offered(await self.get_resource_templates()):
            found = template.matches(uri)
            if found is not None:
                text = f"Error reading {current('fastmcp').template_words} {uri!r}"
                return _contents(template, await self._read(template.read(found), text))
        text = current("fastmcp").unknown_resource(uri)
        raise failure(RESOURCE_NOT_FOUND, text, {"uri": uri})

    async def _read(self, reading, text):
        code = current("fastmcp").fault_code
        try:
            return await reading
        except (McpError, ResourceError) as error:
            raise error if isinstance(error, McpError) else failure(code, str(error)) from error
        except Exception as error:
            shown = limit_of(error) if self._mask else f": {reason_of(error)}"
            raise failure(code, text + shown) from error

    async def wire_prompts(self):
        """Answer prompts/list."""
        return [
            {"name": prompt.name, **_described(prompt), "arguments": prompt.arguments()}
            for prompt in await self._listed("prompts/list", self.get_prompts)
        ]

    async def wire_prompt(self, name, arguments):
        """Answer prompts/get."""
        self.get_context()

        async def answer(asked):
            name, given = _parts(asked.message, "name", "arguments")
            rendered = await self._rendered(name, given or {})
            return types.GetPromptResult.model_validate(rendered) if self.middleware else rendered

        asked = {"name": name, "arguments": arguments}
        made = await self._through("prompts/get", asked, answer)
        return made if isinstance(made, dict) else wire(made)

    async def _rendered(self, name, arguments):
        prompt = dict(self._offered(await self.get_prompts())).get(name)
        if prompt is None:
            raise failure(INVALID_PARAMS, current("fastmcp").unknown_prompt(name))
        missing = prompt.missing(arguments)
        if missing:
            told = f"Missing required arguments: {missing}"
            raise failure(INVALID_PARAMS, current("fastmcp").bad_prompt(name, told))
        try:
            messages = await prompt.render(arguments)
        except McpError:
            raise
        except Exception as error:
            text = current("fastmcp").prompt_fault(name, prompt, error)
            raise failure(current("fastmcp").fault_code, text) from error
        answer = {"messages": messages}
        if prompt.description is not None:
            answer["description"] = prompt.description
        return answer


class NotOffered(McpError):
    """The client asks for a tool that there is not."""

    def __init__(self, code, text):
        super().__init__(code, text)


def _parts(message, *names):
    """Return members of a request's parameters, given as a dictionary or as a model."""
    if isinstance(message, dict):
        return [message.get(name) for name in names]
    return [getattr(message, name) for name in names]


def _tool(tool):
    line = current("fastmcp")
    shown = line.api_shown if tool.is_of_api else line.shown
    shape = {"name": tool.name, **_described(tool), "inputSchema": shown(tool.parameters)}
    title = line.title_of(tool)
    if title:
        shape["title"] = title
    if tool.output_schema is not None:
        shape["outputSchema"] = shown(tool.output_schema)
    return shape


def _result(result, schema):
    content = [wire(block) for block in result.content]
    shape = {"content": content, "isError": getattr(result, "is_error", False)}
    if result.structured_content is not None:
        shape["structuredContent"] = result.structured_content
    if result.meta is not None:
        return {**shape, "_meta": result.meta}
    if schema is not None and not shape["isError"]:
        if result.structured_content is None:
            raise Unfit(
                "Output validation error: outputSchema defined but no structured output returned"
            )
        conforming(result.structured_content, schema)
    return shape


def _described(item):
    shape = described(item)
    if getattr(getattr(item, "owner", None), "include_fastmcp_meta", True) is False:
        return shape
    told = {current("fastmcp").meta_key: {"tags": sorted(item.tags), **item.told}}
    shape["_meta"] = {**(item.meta or {}), **told}
    return shape


def _described_contents(item):
    return {"name": item.name, "mimeType": item.mime_type, **_described(item)}


def _contents(item, value):
    if isinstance(value, ReadResourceContents):
        return value
    if not isinstance(value, (str, bytes)):
        value = current("fastmcp").resource_text(to_jsonable(value, fallback=str))
    return ReadResourceContents(value, item.mime_type)
