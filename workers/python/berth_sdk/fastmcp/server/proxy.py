"""A server that offers what another one has: each request is passed on through a client."""

from berth_runtime import state
from berth_runtime.serving.content import wire
from berth_runtime.serving.context import settled
from berth_runtime.serving.errors import METHOD_NOT_FOUND, McpError
from berth_sdk.mcp import types

from ..client.client import Client
from ..exceptions import ResourceError, ToolError
from ..prompts.prompt import Prompt
from ..resources.resource import Resource, ResourceTemplate
from ..tools.tool import Tool, ToolResult
from .dependencies import get_context
from .server import FastMCP


def _details(item):
    """Return what a listed item says about itself, as the constructors here take it."""
    meta = item.meta or {}
    return {
        "title": item.title,
        "description": item.description,
        "icons": item.icons,
        "meta": item.meta,
        "tags": set((meta.get("fastmcp") or meta.get("_fastmcp") or {}).get("tags", ())),
    }


class ProxyTool(Tool):
    """A tool of the other server."""

    def __init__(self, client, tool):
        self._describe(tool.name, tool.inputSchema, tool.outputSchema, **_details(tool))
        self.annotations = tool.annotations
        self._client = client
        self._named = tool.name

    async def run(self, arguments):
        """Call the tool at the other server; raises ToolError."""
        request = state.current.get()
        meta = dict(request.meta) if request is not None else {}
        meta.pop("progressToken", None)
        async with self._client as client:
            result = await client.call_tool_mcp(self._named, arguments, meta=meta or None)
        if result.isError:
            raise ToolError(result.content[0].text)
        return ToolResult(result.content, result.structuredContent, result.meta)


class ProxyResource(Resource):
    """A resource of the other server."""

    def __init__(self, client, uri, item):
        super().__init__(uri, None, item.name, mime_type=item.mimeType, **_details(item))
        self._client = client
        self._asked = str(uri)

    async def read(self):
        """Read the resource at the other server; raises ResourceError."""
        async with self._client as client:
            contents = await client.read_resource(self._asked)
        return _value(contents, self._asked)


class ProxyTemplate(ResourceTemplate):
    """A family of resources of the other server."""

    def __init__(self, client, item):
        super().__init__(
            item.uriTemplate, _nothing, item.name, mime_type=item.mimeType, **_details(item)
        )
        self._client = client
        self._asked = item.uriTemplate

    async def read(self, arguments):
        """Read the resource with these parameters at the other server; raises ResourceError."""
        uri = self._asked
        for key, value in arguments.items():
            uri = uri.replace(f"{{{key}}}", value).replace(f"{{{key}*}}", value)
        async with self._client as client:
            return _value(await client.read_resource(uri), uri)


class ProxyPrompt(Prompt):
    """A prompt of the other server."""

    def __init__(self, client, prompt):
        super().__init__(_nothing, prompt.name, **_details(prompt))
        self._client = client
        self._named = prompt.name
        self._listed = [wire(item) for item in prompt.arguments or ()]

    def arguments(self):
        """Return the arguments as they are listed."""
        return self._listed

    def missing(self, arguments):
        """Return the names of required arguments that are not given."""
        required = {item["name"] for item in self._listed if item.get("required")}
        return required - set(arguments)

    async def render(self, arguments):
        """Return the messages of the other server."""
        async with self._client as client:
            result = await client.get_prompt(self._named, arguments)
        return [wire(message) for message in result.messages]


def _nothing():
    """Stands for the function that a proxy does not have."""


def _value(contents, uri):
    if not contents:
        raise ResourceError(f"Unsupported content type: {uri} has no contents")
    first = contents[0]
    if isinstance(first, types.TextResourceContents):
        return first.text
    import base64

    return base64.b64decode(first.blob)


class FastMCPProxy(FastMCP):
    """A server in front of another one; what is registered here comes first."""

    def __init__(self, client=None, *, client_factory=None, **settings):
        super().__init__(**settings)
        if client_factory is None:
            if client is None:
                raise ValueError("Must specify 'client_factory'")
            client_factory = client.new
        self.client_factory = client_factory

    def is_empty(self):
        """Return False: what the other server has is known when it is asked."""
        return False

    async def _theirs(self, method):
        client = await settled(self.client_factory())
        try:
            async with client:
                return client, await getattr(client, method)()
        except McpError as error:
            if error.code != METHOD_NOT_FOUND:
                raise
            return client, []

    async def get_tools(self):
        """Return the tools by name."""
        found = await super().get_tools()
        client, listed = await self._theirs("list_tools")
        made = {tool.name: ProxyTool(client, tool) for tool in listed if tool.name not in found}
        return {**found, **self._transformed(made)}

    async def get_resources(self):
        """Return the resources by address."""
        client, listed = await self._theirs("list_resources")
        made = {str(item.uri): ProxyResource(client, item.uri, item) for item in listed}
        return {**made, **await super().get_resources()}

    async def get_resource_templates(self):
        """Return the templates by address."""
        client, listed = await self._theirs("list_resource_templates")
        made = {item.uriTemplate: ProxyTemplate(client, item) for item in listed}
        return {**made, **await super().get_resource_templates()}

    async def get_prompts(self):
        """Return the prompts by name."""
        client, listed = await self._theirs("list_prompts")
        made = {item.name: ProxyPrompt(client, item) for item in listed}
        return {**made, **await super().get_prompts()}


class ProxyClient(Client):
    """A client that passes on to its own client what the other server tells and asks."""

    def __init__(self, transport, **options):
        options.setdefault("roots", _roots)
        options.setdefault("sampling_handler", _sampling)
        options.setdefault("elicitation_handler", _elicitation)
        options.setdefault("log_handler", _log)
        options.setdefault("progress_handler", _progress)
        super().__init__(transport, **options)


class StatefulProxyClient(ProxyClient):
    """A client whose session stays open for as long as the program runs."""

    async def __aexit__(self, *_):
        self._depth -= 1

    def new_stateful(self):
        """Return itself: there is one session with a client."""
        return self

    async def clear(self):
        """End the session."""
        await self.close()


async def _roots(_context):
    return (await get_context().session.list_roots()).roots


async def _sampling(messages, params, _context):
    return await get_context().session.create_message(
        messages,
        max_tokens=params.maxTokens,
        system_prompt=params.systemPrompt,
        temperature=params.temperature,
        stop_sequences=params.stopSequences,
        model_preferences=params.modelPreferences,
        tools=params.tools,
        tool_choice=params.toolChoice,
    )


async def _elicitation(message, _kind, params, _context):
    session = get_context().session
    if isinstance(params, types.ElicitRequestURLParams):
        return await session.elicit_url(message, params.url, params.elicitationId)
    return await session.elicit(message, params.requestedSchema)


async def _log(message):
    data = message.data if isinstance(message.data, dict) else {"msg": message.data}
    context = get_context()
    await context.log(
        data.get("msg"), message.level, message.logger or None, data.get("extra") or None
    )


async def _progress(progress, total, message):
    await get_context().report_progress(progress, total, message)
