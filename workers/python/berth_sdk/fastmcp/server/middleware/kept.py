"""Answers as a cache keeps them: dictionaries of plain data."""

import copy

from berth_runtime.model.dump import to_jsonable
from berth_runtime.serving.content import wire
from berth_sdk.mcp import types
from berth_sdk.mcp.server.lowlevel.helper_types import ReadResourceContents

from ...prompts.prompt import Prompt
from ...resources.resource import Resource
from ...tools.tool import Tool, ToolResult

_FIVE_MINUTES = 300
_HOUR = 3600


class Kind:
    """What is kept of one method's answers, and for how many seconds.

    `dump` makes a dictionary of an answer, `load` an answer of that. `fresh` is what a new answer
    becomes; None: what a kept one does.
    """

    def __init__(self, collection, ttl, dump, load, fresh=None):
        self.collection = collection
        self.ttl = ttl
        self.dump = dump
        self.load = load
        self.fresh = fresh


def _listed(attributes, make):
    """Return how items of a list are kept: their attributes, in an item without a function."""

    def dump(items):
        return {"items": [_shape(item) for item in items]}

    def _shape(item):
        shape = {name: getattr(item, name) for name in ("name", "title", "description", "meta")}
        shape.update(tags=sorted(item.tags), enabled=item.enabled)
        for name in attributes:
            value = getattr(item, name)
            shape[name] = to_jsonable(value() if callable(value) else value)
        return shape

    def load(kept):
        return [make(shape) for shape in kept["items"]]

    return dump, load


def _item(kind, shape):
    """Return an item that can be listed: it has no icons and no function."""
    item = kind.__new__(kind)
    vars(item).update(shape, key=shape["name"], tags=set(shape["tags"]), icons=None, fn=None)
    return item


def _tool(shape):
    annotations = shape["annotations"]
    given = annotations and types.ToolAnnotations.model_validate(annotations)
    return _item(Tool, {**shape, "annotations": given, "serializer": None})


def _resource(shape):
    annotations = shape["annotations"]
    given = annotations and types.Annotations.model_validate(annotations)
    return _item(Resource, {**shape, "annotations": given})


def _prompt(shape):
    return _item(Prompt, {**shape, "arguments": lambda: copy.deepcopy(shape["arguments"])})


def _dump_result(result):
    return {
        "content": [wire(block) for block in result.content],
        "structured_content": result.structured_content,
        "meta": to_jsonable(result.meta),
    }


def _load_result(kept):
    content = types.CallToolResult.model_validate({"content": kept["content"]}).content
    return ToolResult(content, kept["structured_content"], kept["meta"])


def _dump_contents(contents):
    return {
        "items": [
            {"content": to_jsonable(item.content), "mime_type": item.mime_type} for item in contents
        ]
    }


def _load_contents(kept):
    return [ReadResourceContents(item["content"], item["mime_type"]) for item in kept["items"]]


def _fresh_contents(contents):
    # Bytes are bytes the first time, and text of UTF-8 once they were kept.
    return [ReadResourceContents(item.content, item.mime_type) for item in contents]


_TOOLS = ("parameters", "output_schema", "annotations")
LIST_TOOLS = Kind("tools/list", _FIVE_MINUTES, *_listed(_TOOLS, _tool))
LIST_RESOURCES = Kind(
    "resources/list", _FIVE_MINUTES, *_listed(("uri", "mime_type", "annotations"), _resource)
)
LIST_PROMPTS = Kind("prompts/list", _FIVE_MINUTES, *_listed(("arguments",), _prompt))
CALL_TOOL = Kind("tools/call", _HOUR, _dump_result, _load_result)
READ_RESOURCE = Kind("resources/read", _HOUR, _dump_contents, _load_contents, _fresh_contents)
GET_PROMPT = Kind("prompts/get", _HOUR, wire, types.GetPromptResult.model_validate)
