"""Prompts: functions that make messages."""

import contextlib
import inspect
import json

from berth_runtime.model.compile import compile_field
from berth_runtime.model.dump import to_json
from berth_runtime.model.errors import Invalid
from berth_runtime.model.fields import declare
from berth_runtime.model.nodes.scalars import LAX
from berth_runtime.model.schema import describe, in_order, json_schema
from berth_runtime.model.unsupported import NoSchema
from berth_runtime.serving.call_parameters import CallParameters
from berth_runtime.serving.content import text_block, wire
from berth_runtime.serving.context import settled
from berth_runtime.serving.parameters import name_of, signature_of
from berth_sdk.mcp.types import PromptArgument, PromptMessage  # noqa: F401 - found here in the SDK
from berth_sdk.versions import current

from ..exceptions import PromptError
from ..server.dependencies import injected, injected_values
from ..utilities.components import FastMCPComponent


def Message(content, role=None, **details):  # noqa: N802 - the name servers use
    """Make a message; text becomes a text block, the role is the user's by default."""
    block = text_block(content) if isinstance(content, str) else content
    return PromptMessage(content=block, role=role or "user", **details)


class Prompt(FastMCPComponent):
    """A registered prompt."""

    # What its docstring says of its arguments.
    _said = {}

    def __init__(self, fn, name, **details):
        self.fn = fn
        self.name = self.key = name
        self.title = details.get("title")
        self.description = details.get("description")
        self.icons = details.get("icons")
        self.meta = details.get("meta")
        self.tags = set(details.get("tags") or ())
        self.enabled = details.get("enabled") is not False
        self._providers = injected(fn)
        self._parameters = CallParameters(fn, self._providers)
        self._annotations = {
            key: item.annotation for key, item in signature_of(fn).parameters.items()
        }

    def __call__(self, *arguments, **named):
        return self.fn(*arguments, **named)

    @classmethod
    def from_function(cls, fn, name=None, description=None, **details):
        """Make a prompt of a function; raises ValueError for functions that cannot be one."""
        called = name or name_of(fn)
        if called == "<lambda>":
            raise ValueError("You must provide a name for lambda functions")
        for parameter in inspect.signature(fn).parameters.values():
            if parameter.kind is parameter.VAR_POSITIONAL:
                raise ValueError("Functions with *args are not supported as prompts")
            if parameter.kind is parameter.VAR_KEYWORD:
                raise ValueError("Functions with **kwargs are not supported as prompts")
        doc, said = current("fastmcp").documented(fn)
        made = FunctionPrompt(fn, called, description=description or doc, **details)
        made._said = said
        return made

    def to_mcp_prompt(self, *, include_fastmcp_meta=None, **overrides):
        """Return the prompt as the protocol's type has it."""
        from berth_sdk.mcp import types

        shape = {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "arguments": self.arguments(),
            "icons": self.icons,
            "_meta": self.get_meta(include_fastmcp_meta),
        }
        return types.Prompt(**{**shape, **overrides})

    def arguments(self):
        """Return the arguments as they are listed."""
        properties = self._parameters.schema().get("properties", {})
        listed = []
        for slot in self._parameters.record.slots:
            shape = {"name": slot.alias}
            text = properties.get(slot.alias, {}).get("description") or self._said.get(slot.alias)
            note = self._note(slot.name)
            if text or note:
                shape["description"] = "\n\n".join(part for part in (text, note) if part)
            listed.append({**shape, "required": slot.info.is_required()})
        return listed

    def _note(self, name):
        """Say how an argument that is no text is to be written."""
        annotation = self._annotations.get(name)
        if annotation in (str, inspect.Parameter.empty):
            return None
        try:
            info = declare(annotation)
            schema = describe(json_schema(compile_field(info)), info, name, titled=False)
        except NoSchema:
            return None
        text = json.dumps(in_order(schema), separators=(",", ":"))
        return current("fastmcp").prompt_note(text)

    def missing(self, arguments):
        """Return the names of required arguments that are not given."""
        required = {s.alias for s in self._parameters.record.slots if s.info.is_required()}
        return required - set(arguments)

    async def render(self, arguments):
        """Return the messages as they go over the wire."""
        values = {key: self._converted(key, value) for key, value in arguments.items()}
        values.update(await injected_values(self._providers))
        for slot in self._parameters.record.slots:
            if slot.name not in values and not slot.info.is_required():
                values[slot.name] = slot.info.get_default()
        result = await settled(self.fn(**values))
        if not isinstance(result, (list, tuple)):
            result = [result]
        return [wire(_message(item)) for item in result]

    def _converted(self, name, value):
        annotation = self._annotations.get(name, str)
        if annotation in (str, inspect.Parameter.empty) or not isinstance(value, str):
            return value
        node = compile_field(declare(annotation))
        if current("fastmcp").prefers_text:
            with contextlib.suppress(Invalid):
                kept = node.validate(value, LAX)
                if isinstance(kept, str):
                    return kept
        try:
            return node.validate(json.loads(value), LAX)
        except ValueError, Invalid:
            pass  # no JSON, or not of the type: the text itself may be
        try:
            return node.validate(value, LAX)
        except Invalid as error:
            text = current("fastmcp").conversion_fault(annotation, error)
            raise PromptError(
                f"Could not convert argument '{name}' with value '{value}' "
                f"to expected type {annotation}. Error: {text}"
            ) from None


class FunctionPrompt(Prompt):
    """A prompt that was made of a function."""


def _message(item):
    if isinstance(item, PromptMessage):
        return item
    if not isinstance(item, str):
        item = to_json(item, fallback=str)
    return Message(item)
