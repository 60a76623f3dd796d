"""Prompts of both SDK modules: messages made by functions."""

from ..model.dump import to_json
from .call_parameters import CallParameters
from .content import block_of, text_block, wire
from .context import settled
from .parameters import context_parameter, name_of


class Message:
    """A message of a prompt; content that is no block becomes text."""

    role = "user"

    def __init__(self, content, role=None, **_):
        self.role = role or type(self).role
        if self.role not in ("user", "assistant"):
            raise ValueError(f"Unknown role: {self.role}")
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
    from berth_sdk.mcp.types import ContentBlock

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
        skip = (self.context_kwarg,) if self.context_kwarg else ()
        self.parameters = CallParameters(fn, skip, title=name_of(fn))

    @classmethod
    def from_function(cls, fn, name=None, title=None, description=None, icons=None, **details):
        """Make a prompt of a function; raises ValueError for one without a name."""
        from berth_sdk.mcp.server.fastmcp.server import Context

        return cls(fn, Context, name, title, description, icons=icons, **details)

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
        values = self.parameters.validate(arguments)
        if self.context_kwarg:
            values[self.context_kwarg] = context
        result = await settled(self.fn(**values))
        if not isinstance(result, (list, tuple)):
            result = [result]
        return [self.message(item) for item in result]

    def message(self, item):
        """Return one thing that a prompt function returned as a message; raises ValueError."""
        if isinstance(item, Message):
            return item.model_dump()
        if isinstance(item, dict):
            try:
                return Message(item["content"], role=item.get("role")).model_dump()
            except KeyError, ValueError, AttributeError:
                text = f"Could not convert prompt result to message: {item}"
                raise ValueError(text) from None
        text = item if isinstance(item, str) else to_json(item, indent=2, fallback=str)
        return {"role": "user", "content": {"type": "text", "text": text}}
