"""Asking the user for the fields of a model, and what came of it."""

import collections.abc
import types
import typing

_PRIMITIVE = (str, int, float, bool)


class _Answer:
    action = ""

    def __class_getitem__(cls, _arguments):
        return cls

    def __eq__(self, other):
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self):
        return hash(type(self))

    def __repr__(self):
        fields = {"action": self.action, **vars(self)}
        listed = ", ".join(f"{name}={value!r}" for name, value in fields.items())
        return f"{type(self).__name__}({listed})"


class AcceptedElicitation(_Answer):
    """The user gave `data`."""

    action = "accept"
    __match_args__ = ("data",)

    def __init__(self, data=None, **_):
        self.data = data


class AcceptedUrlElicitation(_Answer):
    """The user agreed to visit the address."""

    action = "accept"


class DeclinedElicitation(_Answer):
    """The user said no."""

    action = "decline"


class CancelledElicitation(_Answer):
    """The user made no choice."""

    action = "cancel"


def check_schema(schema):
    """Refuse a model whose fields are more than primitive values; raises TypeError."""
    for name, info in schema.model_fields.items():
        if not _is_allowed(info.annotation):
            raise TypeError(
                f"Elicitation schema field '{name}' must be a primitive type "
                f"{_PRIMITIVE}, a sequence of strings (list[str], etc.), "
                "or Optional of these types. Nested models and complex types are not allowed."
            )


def _is_allowed(annotation):
    if annotation in (None, type(None), *_PRIMITIVE) or _is_strings(annotation):
        return True
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        return all(
            item is type(None) or item in _PRIMITIVE or _is_strings(item)
            for item in typing.get_args(annotation)
        )
    return False


def _is_strings(annotation):
    origin = typing.get_origin(annotation)
    if not isinstance(origin, type) or not issubclass(origin, collections.abc.Sequence):
        return False
    return typing.get_args(annotation) == (str,)


async def elicit_form(session, message, schema):
    """Ask for the fields of a model; the data of an accepted answer is an instance of it."""
    check_schema(schema)
    answer = await session.elicit_form(message, schema.model_json_schema())
    if answer.action == "accept" and answer.content is not None:
        return AcceptedElicitation(schema.model_validate(answer.content))
    return outcome(answer)


async def elicit_url(session, message, url, elicitation_id):
    """Ask the user to visit an address."""
    answer = await session.elicit_url(message, url, elicitation_id)
    return AcceptedUrlElicitation() if answer.action == "accept" else outcome(answer)


def outcome(answer):
    """Return what stands for a refusal; raises ValueError for an acceptance without data."""
    kinds = {"decline": DeclinedElicitation, "cancel": CancelledElicitation}
    if answer.action not in kinds:
        raise ValueError(f"Unexpected elicitation action: {answer.action}")
    return kinds[answer.action]()
