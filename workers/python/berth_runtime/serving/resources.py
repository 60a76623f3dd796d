"""Resources and resource templates of both SDK modules."""

import inspect
import re

from ..model.dump import base64_text, to_json
from ..model.errors import Invalid, ValidationError
from ..model.fields import FieldInfo
from ..model.nodes.urls import normal_url
from .call_parameters import CallParameters
from .context import settled
from .errors import INVALID_PARAMS, failure
from .parameters import context_parameter, name_of


class Resource:
    """A resource that a function or a fixed value makes."""

    def __init__(self, uri, name=None, title=None, description=None, mime_type=None, **details):
        self.uri = checked_url(uri)
        self.name = name or self.uri
        self.title = title
        self.description = description
        self.mime_type = mime_type or "text/plain"
        self.icons = details.get("icons")
        self.annotations = details.get("annotations")
        self.meta = details.get("meta")
        self.fn = details.get("fn")
        self.context_kwarg = details.get("context_kwarg")
        self.value = details.get("text", details.get("data"))

    async def read(self, context=None):
        """Return the contents: text or bytes."""
        if self.fn is None:
            return self.value
        extra = {self.context_kwarg: context} if self.context_kwarg else {}
        return await settled(self.fn(**extra))


class ResourceTemplate:
    """A family of resources: parameters in the address are arguments of the function."""

    def __init__(self, uri_template, fn, context_type, name=None, **details):
        self.uri_template = uri_template
        self.fn = fn
        self.name = name or name_of(fn)
        self.title = details.get("title")
        self.description = details.get("description")
        self.mime_type = details.get("mime_type") or "text/plain"
        self.icons = details.get("icons")
        self.annotations = details.get("annotations")
        self.meta = details.get("meta")
        self.context_kwarg = context_parameter(fn, context_type)
        skip = (self.context_kwarg,) if self.context_kwarg else ()
        self.parameters = CallParameters(fn, skip, title=name_of(fn))
        self._pattern = _pattern(uri_template)

    @classmethod
    def from_function(cls, fn, uri_template, name=None, title=None, description=None, **details):
        """Make a template of a function; raises ValueError for one without a name."""
        from berth_sdk.mcp.server.fastmcp.server import Context

        called = name or name_of(fn)
        if called == "<lambda>":
            raise ValueError("You must provide a name for lambda functions")
        told = description or fn.__doc__ or ""
        return cls(uri_template, fn, Context, called, title=title, description=told, **details)

    async def create_resource(self, uri, params, context=None):
        """Return the resource of one address of the family; raises ValueError."""
        try:
            value = await self.read(params, context)
        except Exception as error:
            raise ValueError(f"Error creating resource from template: {error}") from error
        return Resource(
            uri, self.name, self.title, self.description, self.mime_type, fn=lambda: value
        )

    def matches(self, uri):
        """Return the parameters of an address of this family, or None."""
        found = self._pattern.fullmatch(uri)
        return found.groupdict() if found else None

    async def read(self, arguments, context=None):
        """Return the contents for the parameters of an address."""
        values = self.parameters.validate(arguments)
        if self.context_kwarg:
            values[self.context_kwarg] = context
        return await settled(self.fn(**values))


def _pattern(template):
    parts = re.split(r"({\w+\*?})", template)
    text = ""
    for part in parts:
        if part.startswith("{") and part.endswith("*}"):
            text += f"(?P<{part[1:-2]}>.+)"
        elif part.startswith("{") and part.endswith("}"):
            text += f"(?P<{part[1:-1]}>[^/]+)"
        else:
            text += re.escape(part)
    return re.compile(text)


def checked_url(uri):
    """Return the address of a resource in normal form; raises ValidationError."""
    try:
        return normal_url(str(uri), uri)
    except Invalid as error:
        raise ValidationError("function-wrap[wrap_val()]", error.lines) from None


def make_resource(fn, uri, context_type, **details):
    """Return a template when the address or the function has parameters, else a resource.

    Raises ValueError when the two disagree about the parameters.
    """
    context = context_parameter(fn, context_type)
    in_uri = set(re.findall(r"{(\w+)\*?}", uri))
    in_function = {
        name: parameter
        for name, parameter in inspect.signature(fn).parameters.items()
        if name != context
    }
    if not in_uri and not in_function:
        return Resource(uri, fn=fn, context_kwarg=context, **details)
    if in_uri != set(in_function):
        raise ValueError(
            f"Mismatch between URI parameters {in_uri} and function parameters {set(in_function)}"
        )
    return ResourceTemplate(uri, fn, context_type, **details)


def asked_uri(params):
    """Return the address of a read request in normal form; raises McpError."""
    uri = params.get("uri")
    try:
        return normal_url(uri if isinstance(uri, str) else "", uri)
    except Invalid as error:
        raise failure(INVALID_PARAMS, f"Invalid params: uri: {error.lines[0].message}") from None


def contents_of(uri, mime_type, value, meta=None):
    """Return the wire form of what a resource returned: text, base64, or JSON of other values."""
    shape = {"uri": uri, "mimeType": mime_type}
    if meta is not None:
        shape["_meta"] = meta
    if isinstance(value, bytes):
        return {**shape, "blob": base64_text(value)}
    if not isinstance(value, str):
        value = to_json(value, indent=2, fallback=str)
    return {**shape, "text": value}


def read_contents(shape):
    """Return what goes over the wire as what handlers get that read a resource themselves."""
    import base64

    from berth_sdk.mcp.server.lowlevel.helper_types import ReadResourceContents

    content = shape["text"] if "text" in shape else base64.b64decode(shape["blob"])
    return ReadResourceContents(content, shape.get("mimeType"), shape.get("_meta"))


def described(item):
    """Return the optional members of a listed resource, template, prompt or tool."""
    shape = {}
    for key, value in (
        ("title", item.title),
        ("description", item.description),
        ("icons", item.icons),
        ("annotations", getattr(item, "annotations", None)),
        ("_meta", item.meta),
    ):
        if value is not None:
            shape[key] = _plain(value)
    return shape


def _plain(value):
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", by_alias=True, exclude_none=True)
    if isinstance(value, FieldInfo):
        return value.get_default()
    return value
