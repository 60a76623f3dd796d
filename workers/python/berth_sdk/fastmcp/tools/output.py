"""The output schema that a return annotation stands for."""

import inspect
import types
import typing

from berth_runtime.model.compile import compile_field
from berth_runtime.model.fields import declare, is_named
from berth_runtime.model.nodes.records import Record, Slot
from berth_runtime.model.schema import Generator, in_order, json_schema
from berth_runtime.model.unsupported import NoSchema
from berth_runtime.serving.call_parameters import prune
from berth_runtime.serving.content import Audio, File, Image
from berth_runtime.serving.parameters import names_of, resolved_in, signature_of
from berth_sdk.mcp import types as mcp_types
from berth_sdk.versions import current


def output_schema_of(fn):
    """Return the schema of what a function returns, or None; results are wrapped if no object."""
    from .tool import ToolResult

    returned = _returned(fn)
    if returned in (inspect.Signature.empty, None, typing.Any, ...):
        return None
    blocks = {
        ToolResult,
        Image,
        Audio,
        File,
        mcp_types.TextContent,
        mcp_types.ImageContent,
        mcp_types.AudioContent,
        mcp_types.ResourceLink,
        mcp_types.EmbeddedResource,
    }
    line = current("fastmcp")
    if _mentions(returned, blocks) or line.lacks_schema(returned):
        return None
    try:
        info = declare(returned)
        node = compile_field(info)
        schema = json_schema(node, writing=True)
        if info.description is not None:
            schema["description"] = info.description
        if not _is_object(schema):
            schema = line.trimmed(_wrapped(info, node))
        return _root_resolved(prune(schema)) or None
    except NoSchema, NameError:
        return None


def _returned(fn):
    """Return the annotation of what a function returns; of a quoted one all names are known.

    A quoted None is a type, one that is not quoted says that there is no result.
    """
    returned = signature_of(fn).return_annotation
    plain = getattr(inspect.unwrap(fn), "__annotations__", {}).get("return")
    if isinstance(plain, str) or is_named(returned):
        returned = resolved_in(returned, names_of(fn))
        return type(None) if returned is None and plain else returned
    return returned


def _mentions(annotation, wanted):
    if isinstance(annotation, type) and not isinstance(annotation, types.GenericAlias):
        return annotation in wanted
    return any(_mentions(item, wanted) for item in typing.get_args(annotation))


def _is_object(schema):
    if schema.get("type") == "object" or "properties" in schema:
        return True
    return "$ref" in schema and "$defs" in schema


def _wrapped(info, node):
    generator = Generator(writing=True)
    words = current("fastmcp").wrapper_words
    shape = Record([Slot("result", info, node)]).shape(generator, title=None, description=words)
    if generator.definitions:
        shape["$defs"] = generator.definitions
    return {**in_order(shape), "x-fastmcp-wrap-result": True}


def _root_resolved(schema):
    """Put the definition that a schema refers to as a whole in its place."""
    if "$ref" in schema and "$defs" in schema and "type" not in schema:
        name = schema["$ref"].removeprefix("#/$defs/")
        return {**schema["$defs"][name], "$defs": schema["$defs"]}
    return schema
