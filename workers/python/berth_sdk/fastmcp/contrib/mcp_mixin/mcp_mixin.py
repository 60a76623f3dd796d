"""Methods of objects as tools, resources and prompts, registered for each object."""

from berth_runtime.serving.parameters import name_of

from ...prompts.prompt import Prompt
from ...resources.resource import Resource, ResourceTemplate, is_template
from ...tools.tool import Tool

_MCP_REGISTRATION_TOOL_ATTR = "_mcp_tool_registration"
_MCP_REGISTRATION_RESOURCE_ATTR = "_mcp_resource_registration"
_MCP_REGISTRATION_PROMPT_ATTR = "_mcp_prompt_registration"
_DEFAULT_SEPARATOR_TOOL = _DEFAULT_SEPARATOR_PROMPT = "_"
_DEFAULT_SEPARATOR_RESOURCE = "+"


def _marking(attribute, name, options):
    """Return a decorator that notes on a method how it is to be registered."""
    given = {key: value for key, value in options.items() if value is not None}

    def mark(method):
        setattr(method, attribute, {"name": name or name_of(method), **given})
        return method

    return mark


def mcp_tool(name=None, description=None, tags=None, annotations=None, **options):
    """Mark a method as a tool; `enabled=False` keeps it from being listed."""
    if isinstance(annotations, dict):
        from berth_sdk.mcp.types import ToolAnnotations

        annotations = ToolAnnotations(**annotations)
    options.update(description=description, tags=tags, annotations=annotations)
    return _marking(_MCP_REGISTRATION_TOOL_ATTR, name, options)


def mcp_resource(uri, *, name=None, **options):
    """Mark a method as the resource of an address, or as a template with parameters."""
    return _marking(_MCP_REGISTRATION_RESOURCE_ATTR, name, {"uri": uri, **options})


def mcp_prompt(name=None, title=None, description=None, tags=None, **options):
    """Mark a method as a prompt."""
    options.update(title=title, description=description, tags=tags)
    return _marking(_MCP_REGISTRATION_PROMPT_ATTR, name, options)


class MCPMixin:
    """Base of classes whose marked methods a server can be given."""

    def _get_methods_to_register(self, registration_type):
        """Return the methods with a mark, and a copy of what it says of each."""
        found = []
        for key in dir(self):
            method = getattr(self, key)
            if callable(method) and hasattr(method, registration_type):
                found.append((method, dict(getattr(method, registration_type))))
        return found

    def _prepared(self, registration_type, prefix, separator):
        for method, told in self._get_methods_to_register(registration_type):
            for key in ("name", "uri") if prefix else ():
                if key in told:
                    told[key] = f"{prefix}{separator}{told[key]}"
            yield method, told

    def register_tools(self, mcp_server, prefix=None, separator=_DEFAULT_SEPARATOR_TOOL):
        """Register the marked tools with a server, under a prefix if there is one."""
        for method, told in self._prepared(_MCP_REGISTRATION_TOOL_ATTR, prefix, separator):
            mcp_server.add_tool(Tool.from_function(method, **told))

    def register_resources(self, mcp_server, prefix=None, separator=_DEFAULT_SEPARATOR_RESOURCE):
        """Register the marked resources; a prefix goes before names and addresses."""
        for method, told in self._prepared(_MCP_REGISTRATION_RESOURCE_ATTR, prefix, separator):
            uri = told.pop("uri")
            if is_template(method, uri):
                mcp_server.add_template(ResourceTemplate.from_function(method, uri, **told))
            else:
                mcp_server.add_resource(Resource.from_function(method, uri, **told))

    def register_prompts(self, mcp_server, prefix=None, separator=_DEFAULT_SEPARATOR_PROMPT):
        """Register the marked prompts with a server, under a prefix if there is one."""
        for method, told in self._prepared(_MCP_REGISTRATION_PROMPT_ATTR, prefix, separator):
            mcp_server.add_prompt(Prompt.from_function(method, **told))

    def register_all(
        self,
        mcp_server,
        prefix=None,
        tool_separator=_DEFAULT_SEPARATOR_TOOL,
        resource_separator=_DEFAULT_SEPARATOR_RESOURCE,
        prompt_separator=_DEFAULT_SEPARATOR_PROMPT,
    ):
        """Register all that is marked."""
        self.register_tools(mcp_server, prefix=prefix, separator=tool_separator)
        self.register_resources(mcp_server, prefix=prefix, separator=resource_separator)
        self.register_prompts(mcp_server, prefix=prefix, separator=prompt_separator)
