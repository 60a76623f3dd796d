"""Asking the user in FastMCP: what `response_type` stands for, and the answer in its type."""

import dataclasses
import enum
import typing

from berth_runtime.model import TypeAdapter
from berth_runtime.serving.call_parameters import prune
from berth_runtime.serving.elicitation import (
    AcceptedElicitation,
    CancelledElicitation,
    DeclinedElicitation,
    outcome,
)

from .elicitation_rules import check

_T = typing.TypeVar("_T")


@dataclasses.dataclass
class ScalarElicitationType(typing.Generic[_T]):
    # For answers that are no objects: clients only know forms. (No docstring: it would be shown.)
    value: _T


class Question:
    """The form to show, and how its content becomes the answer's data."""

    def __init__(self, schema, adapter=None, raw=False):
        self.schema = schema
        self.adapter = adapter
        self.raw = raw

    def data_of(self, content):
        """Return the data of an accepted form; raises ValueError."""
        if self.raw:
            if not isinstance(content, dict) or "value" not in content:
                raise ValueError("Elicitation response missing required 'value' field.")
            return content["value"]
        if self.adapter is None:
            if content:
                raise ValueError(f"Elicitation expected an empty response, but received: {content}")
            return {}
        accepted = self.adapter.validate_python(content)
        return accepted.value if isinstance(accepted, ScalarElicitationType) else accepted


def question_of(response_type):
    """Return the question that a response type stands for; raises ValueError or TypeError."""
    if response_type is None:
        return Question({"type": "object", "properties": {}})
    if isinstance(response_type, dict):
        if not response_type:
            raise ValueError("Dict response_type cannot be empty.")
        return _choice({"oneOf": _titled(response_type), "type": "string"})
    if isinstance(response_type, list):
        return _listed(response_type)
    if typing.get_origin(response_type) is list or _is_scalar(response_type):
        return _typed(ScalarElicitationType[response_type])
    return _typed(response_type)


def _listed(choices):
    only = choices[0] if len(choices) == 1 else None
    if isinstance(only, list) and only and all(isinstance(item, str) for item in only):
        return _choice({"type": "array", "items": {"enum": only}})
    if isinstance(only, dict) and only:
        return _choice({"type": "array", "items": {"anyOf": _titled(only)}})
    if choices and all(isinstance(item, str) for item in choices):
        return _typed(ScalarElicitationType[typing.Literal[tuple(choices)]])
    raise ValueError(f"Invalid list response_type format. Received: {choices}")


def _is_scalar(kind):
    if kind in (bool, int, float, str) or typing.get_origin(kind) is typing.Literal:
        return True
    return isinstance(kind, type) and issubclass(kind, enum.Enum)


def _titled(choices):
    return [{"const": key, "title": told.get("title", key)} for key, told in choices.items()]


def _choice(schema):
    shape = {"type": "object", "properties": {"value": schema}, "required": ["value"]}
    return Question(shape, raw=True)


def _typed(kind):
    adapter = TypeAdapter(kind)
    schema = _flat(prune(adapter.json_schema(), titles=False))
    check(schema)
    return Question(schema, adapter)


def _flat(schema):
    """Put enumerations where they are referred to: forms know no references."""
    definitions = schema.get("$defs", {})
    choices = {f"#/$defs/{name}": shape for name, shape in definitions.items() if "enum" in shape}

    def walk(item):
        if isinstance(item, list):
            return [walk(inner) for inner in item]
        if not isinstance(item, dict):
            return item
        if item.get("$ref") in choices:
            rest = {key: value for key, value in item.items() if key != "$ref"}
            return {**choices[item["$ref"]], **rest}
        return {key: walk(value) for key, value in item.items()}

    flat = walk({key: value for key, value in schema.items() if key != "$defs"})
    kept = {k: v for k, v in definitions.items() if f"#/$defs/{k}" not in choices}
    return {**flat, "$defs": walk(kept)} if kept else flat


async def elicit(session, message, response_type):
    """Ask the user; returns an accepted, declined or cancelled elicitation."""
    question = question_of(response_type)
    answer = await session.elicit(message, question.schema)
    if answer.action == "accept":
        return AcceptedElicitation(question.data_of(answer.content))
    return outcome(answer)


__all__ = [
    "AcceptedElicitation",
    "CancelledElicitation",
    "DeclinedElicitation",
    "ScalarElicitationType",
]
