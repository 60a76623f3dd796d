"""What came of asking the client's model."""

import dataclasses
import typing

from berth_sdk.mcp.types import (
    CreateMessageResultWithTools,
    ModelHint,
    ModelPreferences,
    SamplingMessage,
    TextContent,
    ToolUseContent,
)

_R = typing.TypeVar("_R")


@dataclasses.dataclass
class SamplingResult(typing.Generic[_R]):
    """The end of a conversation: text, the same in the wanted type, all messages."""

    text: str | None
    result: _R
    history: list


@dataclasses.dataclass
class SampleStep:
    """One answer of the model, and the messages up to it."""

    response: typing.Any
    history: list

    @property
    def _blocks(self):
        content = self.response.content
        return content if isinstance(content, list) else [content]

    @property
    def is_tool_use(self):
        """Whether the model wants to use tools."""
        with_tools = isinstance(self.response, CreateMessageResultWithTools)
        return with_tools and self.response.stopReason == "toolUse"

    @property
    def text(self):
        """The first text of the answer, or None."""
        return next((item.text for item in self._blocks if isinstance(item, TextContent)), None)

    @property
    def tool_calls(self):
        """The tools that the model wants to use."""
        return [item for item in self._blocks if isinstance(item, ToolUseContent)]


def messages_of(given):
    """Return texts and messages as a list of messages."""
    items = [given] if isinstance(given, str) else given
    return [
        SamplingMessage(role="user", content=TextContent(type="text", text=item))
        if isinstance(item, str)
        else item
        for item in items
    ]


def preferences_of(given):
    """Return the name of a model, or several, as preferences; raises ValueError."""
    if given is None or isinstance(given, ModelPreferences):
        return given
    if isinstance(given, str):
        given = [given]
    if not isinstance(given, list):
        raise ValueError(
            "model_preferences must be one of: ModelPreferences, str, list[str], or None."
        )
    if not all(isinstance(item, str) for item in given):
        raise ValueError("All elements of model_preferences list must be strings.")
    return ModelPreferences(hints=[ModelHint(name=item) for item in given])
