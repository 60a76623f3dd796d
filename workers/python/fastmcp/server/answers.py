"""What a FastMCP 2 server answers to the client's requests, in the form of the wire."""

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

from ..exceptions import FastMCPError, ResourceError


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

    async def wire_tools(self):
        """Answer tools/list."""
        listed = []
        for name, tool in self._offered(await self.get_tools()):
            shape = {"name": name, **_described(tool), "inputSchema": tool.parameters}
            if tool.title is None and getattr(tool.annotations, "title", None):
                shape["title"] = tool.annotations.title
            if tool.output_schema is not None:
                shape["outputSchema"] = tool.output_schema
            listed.append(shape)
        return listed

    async def wire_call(self, name, arguments):
        """Answer tools/call; a tool's failure is a result, an unknown tool an error."""
        tool = dict(self._offered(await self.get_tools())).get(name)
        if tool is None:
            raise failure(INVALID_PARAMS, f"Unknown tool: {name}")
        context = self.get_context()
        try:
            return _result(await tool.run(arguments), tool.output_schema)
        except UrlElicitationRequiredError:
            raise
        except (FastMCPError, ValidationError, Unfit) as error:
            text = str(error)
        except Exception as error:
            text = f"Error calling tool {name!r}"
            text = text if self._mask else f"{text}: {error}"
        finally:
            context.tell_changes()
        return {"content": [wire(text_block(text))], "isError": True}

    async def wire_resources(self):
        """Answer resources/list."""
        return [
            {"uri": uri, "name": item.name, "mimeType": item.mime_type, **_described(item)}
            for uri, item in self._offered(await self.get_resources())
        ]

    async def wire_templates(self):
        """Answer resources/templates/list."""
        return [
            {"uriTemplate": uri, "name": item.name, "mimeType": item.mime_type, **_described(item)}
            for uri, item in self._offered(await self.get_resource_templates())
        ]

    async def wire_read(self, uri):
        """Answer resources/read."""
        self.get_context()
        resource = dict(self._offered(await self.get_resources())).get(uri)
        if resource is not None:
            value = await self._read(resource.read(), f"Error reading resource {uri!r}")
            return [_contents(uri, resource, value)]
        for key, template in self._offered(await self.get_resource_templates()):
            found = _under(key, template, uri)
            if found is not None:
                text = f"Error reading resource from template {uri!r}"
                return [_contents(uri, template, await self._read(template.read(found), text))]
        raise failure(RESOURCE_NOT_FOUND, f"Unknown resource: {uri!r}", {"uri": uri})

    async def _read(self, reading, text):
        try:
            return await reading
        except (McpError, ResourceError) as error:
            raise error if isinstance(error, McpError) else failure(0, str(error)) from error
        except Exception as error:
            raise failure(0, text if self._mask else f"{text}: {error}") from error

    async def wire_prompts(self):
        """Answer prompts/list."""
        return [
            {"name": name, **_described(prompt), "arguments": prompt.arguments()}
            for name, prompt in self._offered(await self.get_prompts())
        ]

    async def wire_prompt(self, name, arguments):
        """Answer prompts/get."""
        prompt = dict(self._offered(await self.get_prompts())).get(name)
        if prompt is None:
            raise failure(INVALID_PARAMS, f"Unknown prompt: {name}")
        missing = prompt.missing(arguments)
        if missing:
            text = f"Error rendering prompt {name!r}: Missing required arguments: {missing}"
            raise failure(INVALID_PARAMS, text)
        self.get_context()
        try:
            messages = await prompt.render(arguments)
        except McpError:
            raise
        except Exception as error:
            raise failure(0, f"Error rendering prompt {prompt.name}.") from error
        answer = {"messages": messages}
        if prompt.description is not None:
            answer["description"] = prompt.description
        return answer


def _result(result, schema):
    shape = {"content": [wire(block) for block in result.content], "isError": False}
    if result.structured_content is not None:
        shape["structuredContent"] = result.structured_content
    if result.meta is not None:
        return {**shape, "_meta": result.meta}
    if schema is not None:
        if result.structured_content is None:
            raise Unfit(
                "Output validation error: outputSchema defined but no structured output returned"
            )
        conforming(result.structured_content, schema)
    return shape


def _described(item):
    shape = described(item)
    shape["_meta"] = {**(item.meta or {}), "_fastmcp": {"tags": sorted(item.tags)}}
    return shape


def _contents(uri, item, value):
    if isinstance(value, (str, bytes)):
        return contents_of(uri, item.mime_type, value)
    from berth_runtime.model.dump import to_json

    return contents_of(uri, item.mime_type, to_json(value, fallback=str))


def _under(key, template, uri):
    """Return the parameters of an address of a template, maybe mounted under a prefix."""
    if key == template.uri_template:
        return template.matches(uri)
    scheme, _, rest = uri.partition("://")
    prefix = key.partition("://")[2].partition("/")[0]
    if not rest.startswith(f"{prefix}/"):
        return None
    return template.matches(f"{scheme}://{rest.removeprefix(f'{prefix}/')}")
