"""Resources and templates: functions or fixed values behind an address."""

import inspect
import re
import urllib.parse

from berth_runtime.serving.call_parameters import CallParameters
from berth_runtime.serving.context import settled
from berth_runtime.serving.parameters import name_of, signature_of
from berth_runtime.serving.resources import checked_url

from ..server.dependencies import injected, injected_values
from ..utilities.components import FastMCPComponent

_SIMPLE = {int: int, float: float}
_PATH = re.compile(r"{(\w+)\*?}")
_QUERY = re.compile(r"{\?([\w,]+)}")


class Resource(FastMCPComponent):
    """A resource that a function or a fixed value makes."""

    def __init__(self, uri, fn=None, name=None, **details):
        self.uri = self.key = checked_url(uri)
        self.fn = fn
        self.name = name or self.uri
        self.mime_type = details.get("mime_type") or "text/plain"
        self.value = details.get("text", details.get("data"))
        self._providers = injected(fn) if fn is not None else {}
        _describe(self, details)

    @classmethod
    def from_function(cls, fn, uri, name=None, description=None, **details):
        """Make a resource of a function without parameters."""
        doc = description or inspect.getdoc(fn)
        return FunctionResource(uri, fn, name or name_of(fn), description=doc, **details)

    def to_mcp_resource(self, *, include_fastmcp_meta=None, **overrides):
        """Return the resource as the protocol's type has it."""
        from berth_sdk.mcp import types

        shape = {"uri": self.uri, **_listed(self, include_fastmcp_meta)}
        return types.Resource(**{**shape, **overrides})

    def move(self, uri):
        """Change the address."""
        self.uri = self.key = uri

    async def read(self):
        """Return the contents: text, bytes or anything that JSON can hold."""
        if self.fn is None:
            return self.value
        return await settled(self.fn(**await injected_values(self._providers)))

    def __call__(self, *arguments, **named):
        return self.fn(*arguments, **named)


class ResourceTemplate(FastMCPComponent):
    """A family of resources; parameters are in the path (`{a}`, `{a*}`) and query (`{?b}`)."""

    def __init__(self, uri_template, fn, name, **details):
        self.uri_template = self.key = uri_template
        self.fn = fn
        self.name = name
        self.mime_type = details.get("mime_type") or "text/plain"
        _describe(self, details)
        self._providers = injected(fn)
        self._parameters = CallParameters(fn, self._providers, name_of(fn))
        self._annotations = {
            key: item.annotation for key, item in signature_of(fn).parameters.items()
        }
        self.move(uri_template)

    def __call__(self, *arguments, **named):
        return self.fn(*arguments, **named)

    @classmethod
    def from_function(cls, fn, uri_template, name=None, description=None, **details):
        """Make a template of a function; raises ValueError when parameters do not agree."""
        doc = description or inspect.getdoc(fn)
        called = name or name_of(fn)
        if called == "<lambda>":
            raise ValueError("You must provide a name for lambda functions")
        _agree(fn, uri_template)
        return FunctionResourceTemplate(uri_template, fn, called, description=doc, **details)

    def to_mcp_template(self, *, include_fastmcp_meta=None, **overrides):
        """Return the template as the protocol's type has it."""
        from berth_sdk.mcp import types

        shape = {"uriTemplate": self.uri_template, **_listed(self, include_fastmcp_meta)}
        return types.ResourceTemplate(**{**shape, **overrides})

    async def create_resource(self, uri, params):
        """Return the resource of one address of the family."""

        async def read():
            return await self.read(params)

        details = {"description": self.description, "tags": self.tags}
        return FunctionResource(uri, read, self.name, mime_type=self.mime_type, **details)

    def move(self, uri_template):
        """Change the family of addresses."""
        self.uri_template = self.key = uri_template
        self._query = _query_names(uri_template)
        self._pattern = _pattern(_QUERY.sub("", uri_template))

    def matches(self, uri):
        """Return the parameters of an address of this family, or None."""
        path, _, query = uri.partition("?")
        found = self._pattern.match(path)
        if not found:
            return None
        values = {key: urllib.parse.unquote(text) for key, text in found.groupdict().items()}
        given = urllib.parse.parse_qs(query)
        return {**values, **{key: given[key][0] for key in self._query if key in given}}

    async def read(self, arguments):
        """Return the contents for the parameters of an address."""
        typed = {key: _simple(text, self._annotations.get(key)) for key, text in arguments.items()}
        values = self._parameters.validate(typed)
        values.update(await injected_values(self._providers))
        return await settled(self.fn(**values))


class FunctionResource(Resource):
    """A resource that a function makes."""


class TextResource(Resource):
    """A resource of a fixed text."""


class FunctionResourceTemplate(ResourceTemplate):
    """A template behind which is a function."""


def _listed(item, include_fastmcp_meta):
    return {
        "name": item.name,
        "title": item.title,
        "description": item.description,
        "mimeType": item.mime_type,
        "icons": item.icons,
        "annotations": item.annotations,
        "_meta": item.get_meta(include_fastmcp_meta),
    }


def _describe(item, details):
    item.title = details.get("title")
    item.description = details.get("description")
    item.icons = details.get("icons")
    item.annotations = details.get("annotations")
    item.meta = details.get("meta")
    item.tags = set(details.get("tags") or ())
    item.enabled = details.get("enabled") is not False


def _simple(text, annotation):
    if annotation is bool:
        return text.lower() in ("true", "1", "yes")
    try:
        return _SIMPLE.get(annotation, str)(text)
    except ValueError:
        return text


def _query_names(template):
    return {name for part in _QUERY.findall(template) for name in part.split(",")}


def _pattern(template):
    text = ""
    for part in re.split(r"({\w+\*?})", template):
        name = part[1:-1].rstrip("*")
        if part.startswith("{"):
            text += f"(?P<{name}>{'.+' if part.endswith('*}') else '[^/]+'})"
        else:
            text += re.escape(part)
    return re.compile(f"^{text}$")


def is_template(fn, uri):
    """Return whether an address or the function behind it has parameters."""
    return bool("{" in uri and "}" in uri or set(_parameters(fn)))


def _parameters(fn):
    hidden = injected(fn)
    return {
        name: item for name, item in inspect.signature(fn).parameters.items() if name not in hidden
    }


def _agree(fn, template):
    in_path, in_query = set(_PATH.findall(template)), _query_names(template)
    if not in_path | in_query:
        raise ValueError("URI template must contain at least one parameter")
    parameters = _parameters(fn)
    if any(item.kind is item.VAR_POSITIONAL for item in parameters.values()):
        raise ValueError("Functions with *args are not supported as resource templates")
    required = {name for name, item in parameters.items() if item.default is item.empty}
    if any(item.kind is item.VAR_KEYWORD for item in parameters.values()):
        return
    if in_query & required:
        raise ValueError(
            f"Query parameters {in_query & required} must be optional function parameters "
            "with default values"
        )
    if not required <= in_path:
        raise ValueError(
            f"Required function arguments {required} must be a subset of the URI path "
            f"parameters {in_path}"
        )
    if not in_path | in_query <= set(parameters):
        raise ValueError(
            f"URI parameters {in_path | in_query} must be a subset of the function arguments: "
            f"{set(parameters)}"
        )
