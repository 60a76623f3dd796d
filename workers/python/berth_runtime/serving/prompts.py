"""Prompts of both SDK modules: messages made by functions."""

import inspect
import json
import typing

from ..model.dump import to_json
from .content import block_of, text_block, wire
from .context import settled
from .parameters import Parameters, context_parameter, name_of


class Message:
    """A message of a prompt; content that is no block becomes text."""

    role = "user"

    def __init__(self, content, role=None, **_):
        self.role = role or type(self).role
        if isinstance(content, str):
            content = text_block(content)
        elif isinstance(content, dict):
            content = _block_from(content)
        self.content = block_of(content) or content

    def model_dump(self, **_):
        """Return the message as it goes over the wire."""
        return {"role": self.role, "content": wire(self.content)}


class UserMessage(Message):
    """A message of the user."""


class AssistantMessage(Message):
    """A message of the assistant."""

    role = "assistant"


def _block_from(shape):
    from mcp.types import ContentBlock

    from ..model.adapter import TypeAdapter

    return TypeAdapter(ContentBlock).validate_python(shape)


class Prompt:
    """A prompt: a function and what is listed about it."""

    def __init__(self, fn, context_type, name=None, title=None, description=None, **details):
        self.fn = fn
        self.name = name or name_of(fn)
        if self.name == "<lambda>":
            raise ValueError("You must provide a name for lambda functions")
        self.title = title
        self.description = description if description is not None else fn.__doc__ or ""
        self.icons = details.get("icons")
        self.meta = details.get("meta")
        self.context_kwarg = context_parameter(fn, context_type)
        self.parameters = Parameters(fn, skip=(self.context_kwarg,) if self.context_kwarg else ())

    def arguments(self):
        """Return the arguments as they are listed."""
        schema = self.parameters.schema()["properties"]
        listed = []
        for slot in self.parameters.record.slots:
            shape = {"name": slot.alias}
            description = schema[slot.alias].get("description")
            if description is not None:
                shape["description"] = description
            shape["required"] = slot.info.is_required()
            listed.append(shape)
        return listed

    def missing(self, arguments):
        """Return the names of required arguments that are not given."""
        required = {s.alias for s in self.parameters.record.slots if s.info.is_required()}
        return required - set(arguments)

    async def render(self, arguments, context=None):
        """Return the messages as they go over the wire."""
        values = self.parameters.validate(self._converted(arguments))
        if self.context_kwarg:
            values[self.context_kwarg] = context
        result = await settled(self.fn(**values))
        if not isinstance(result, (list, tuple)):
            result = [result]
        return [message_of(item) for item in result]

    def _converted(self, arguments):
        """Prompt arguments arrive as text: those of other types are parsed as JSON if possible."""
        converted = dict(arguments)
        for parameter in inspect.signature(self.fn).parameters.values():
            value = converted.get(parameter.name)
            if isinstance(value, str) and parameter.annotation not in (str, inspect._empty):
                if typing.get_origin(parameter.annotation) in (list, dict, tuple, set):
                    try:
                        converted[parameter.name] = json.loads(value)
                    except ValueError:
                        continue
        return converted


def message_of(item):
    """Return one thing that a prompt function returned as a message."""
    if isinstance(item, Message):
        return item.model_dump()
    if hasattr(item, "role") and hasattr(item, "content"):
        return wire(item)
    if isinstance(item, dict) and "role" in item:
        return Message(item["content"], role=item["role"]).model_dump()
    block = block_of(item)
    if block is not None:
        return {"role": "user", "content": wire(block)}
    text = item if isinstance(item, str) else to_json(item, indent=2, fallback=str)
    return {"role": "user", "content": {"type": "text", "text": text}}
