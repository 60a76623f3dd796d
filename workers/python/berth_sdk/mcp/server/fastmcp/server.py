"""The FastMCP server object: registration of tools, resources and prompts, and the answers."""

import types

from berth_runtime.model.nodes.urls import normal_url
from berth_runtime.serving.base import Named, ServerBase
from berth_runtime.serving.context import BaseContext
from berth_runtime.serving.prompts import Prompt
from berth_runtime.serving.resources import Resource, make_resource, read_contents

from ..lowlevel import Server
from .answers import Answers
from .tools import ToolManager


class Context(BaseContext):
    """What a handler may ask for by annotation: logging, progress, the request and the server."""

    def log(self, level, message, *, logger_name=None, extra=None):
        """Send a log message to the client."""
        return self.session.send_log_message(level, message, logger_name)

    def debug(self, message, **extra):
        """Send a debug message."""
        return self.log("debug", message, **extra)

    def info(self, message, **extra):
        """Send an informational message."""
        return self.log("info", message, **extra)

    def warning(self, message, **extra):
        """Send a warning."""
        return self.log("warning", message, **extra)

    def error(self, message, **extra):
        """Send an error message."""
        return self.log("error", message, **extra)


class Settings(types.SimpleNamespace):
    """The options of a server; those of transports can be read and set, and have no effect."""

    def __init__(self, options):
        defaults = {
            "debug": False,
            "log_level": "INFO",
            "host": "127.0.0.1",
            "port": 8000,
            "mount_path": "/",
            "sse_path": "/sse",
            "message_path": "/messages/",
            "streamable_http_path": "/mcp",
            "json_response": False,
            "stateless_http": False,
            "max_request_body_size": 4 * 1024 * 1024,
            "warn_on_duplicate_resources": True,
            "warn_on_duplicate_tools": True,
            "warn_on_duplicate_prompts": True,
            "dependencies": [],
            "lifespan": None,
            "auth": None,
            "transport_security": types.SimpleNamespace(
                enable_dns_rebinding_protection=True,
                allowed_hosts=["127.0.0.1:*", "localhost:*", "[::1]:*"],
                allowed_origins=["http://127.0.0.1:*", "http://localhost:*", "http://[::1]:*"],
            ),
        }
        super().__init__(**{**defaults, **options})

    def model_dump(self, **_):
        """Return the options as a dictionary."""
        return dict(vars(self))


class FastMCP(Answers, Named, ServerBase):
    """A server. Unknown constructor options are accepted and have no effect."""

    prompt_class = Prompt
    tool_manager_class = ToolManager

    def __init__(self, name=None, instructions=None, website_url=None, icons=None, *_, **options):
        self._mcp_server = Server(
            name or "FastMCP",
            options.get("version"),
            instructions,
            website_url=website_url,
            icons=icons,
            title=options.get("title"),
            description=options.get("description"),
        )
        self._mcp_server.owner = self
        self._lifespan = options.get("lifespan")
        self._retry_interval = options.get("retry_interval")
        self._tool_manager = self.tool_manager_class(tools=options.get("tools"))
        self._resources = {}
        self._templates = {}
        self._prompts = {}
        self.settings = Settings(options)
        self.dependencies = options.get("dependencies") or []

    def __class_getitem__(cls, _arguments):
        return cls

    def is_empty(self):
        """Return whether nothing is registered."""
        return not (
            self._tool_manager.list_tools()
            or self._resources
            or self._templates
            or self._prompts
            or not self._mcp_server.is_empty()
        )

    def tool(
        self,
        name=None,
        title=None,
        description=None,
        annotations=None,
        icons=None,
        meta=None,
        structured_output=None,
        **_,
    ):
        """Register the decorated function as a tool; `@tool` and `@tool()` both work."""
        details = {
            "title": title,
            "description": description,
            "annotations": annotations,
            "icons": icons,
            "meta": meta,
            "structured_output": structured_output,
        }
        if callable(name):
            self.add_tool(name, **details)
            return name

        def decorate(fn):
            self.add_tool(fn, name=name, **details)
            return fn

        return decorate

    def add_tool(self, fn, name=None, **details):
        """Register a function as a tool."""
        self._tool_manager.add_tool(fn, name=name, **details)

    def remove_tool(self, name):
        """Remove a tool."""
        self._tool_manager.remove_tool(name)

    def resource(self, uri, *, name=None, title=None, description=None, mime_type=None, **details):
        """Register the decorated function as a resource, or as a template with parameters."""
        if callable(uri):
            raise TypeError(
                "The @resource decorator was used incorrectly. "
                "Did you forget to call it? Use @resource('uri') instead of @resource"
            )

        def decorate(fn):
            made = make_resource(
                fn,
                uri,
                Context,
                name=name or fn.__name__,
                title=title,
                description=description or fn.__doc__ or "",
                mime_type=mime_type,
                **details,
            )
            self.add_resource(made)
            return fn

        return decorate

    def add_resource(self, resource):
        """Register a resource or template; the first of an address stays."""
        if isinstance(resource, Resource):
            self._resources.setdefault(resource.uri, resource)
        else:
            self._templates.setdefault(resource.uri_template, resource)

    def prompt(self, name=None, title=None, description=None, icons=None, **details):
        """Register the decorated function as a prompt."""
        if callable(name):
            self.add_prompt(self.prompt_class(name, Context))
            return name

        def decorate(fn):
            made = self.prompt_class
            self.add_prompt(made(fn, Context, name, title, description, icons=icons, **details))
            return fn

        return decorate

    def add_prompt(self, prompt):
        """Register a prompt; the first of a name stays."""
        self._prompts.setdefault(prompt.name, prompt)

    def completion(self):
        """Register the decorated function as the handler of completion requests."""
        return self._mcp_server.completion()

    def custom_route(self, *_args, **_options):
        """Accept a route of the SDK's own HTTP server; it is never called here."""
        return lambda fn: fn

    def get_context(self):
        """Return the context of the current request."""
        return Context(self)

    async def list_tools(self):
        """Return the tools as models."""
        from berth_sdk.mcp.types import Tool

        return [Tool.model_validate(shape) for shape in await self.wire_tools()]

    async def call_tool(self, name, arguments):
        """Call a tool; returns content, and structured content when there is an output schema."""
        tool = self._tool_manager.get_tool(name)
        result = await self._tool_manager.call_tool(name, arguments, self.get_context(), True)
        if tool.output is None:
            return result.content
        return result.content, result.structuredContent

    async def list_prompts(self):
        """Return the prompts as models."""
        from berth_sdk.mcp.types import Prompt as Listed

        return [Listed.model_validate(shape) for shape in await self.wire_prompts()]

    async def list_resources(self):
        """Return the resources as models."""
        from berth_sdk.mcp.types import Resource as Listed

        return [Listed.model_validate(shape) for shape in await self.wire_resources()]

    async def list_resource_templates(self):
        """Return the templates as models."""
        from berth_sdk.mcp.types import ResourceTemplate as Listed

        return [Listed.model_validate(shape) for shape in await self.wire_templates()]

    @property
    def session_manager(self):
        """What carries sessions in an application of the program; Berth does that itself."""
        from berth_sdk.mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        return StreamableHTTPSessionManager(app=self)

    async def read_resource(self, uri):
        """Return the contents of a resource."""
        return [read_contents(shape) for shape in await self.wire_read(normal_url(str(uri)))]

    async def get_prompt(self, name, arguments=None):
        """Return a rendered prompt."""
        from berth_sdk.mcp.types import GetPromptResult

        return GetPromptResult.model_validate(await self.wire_prompt(name, arguments or {}))
