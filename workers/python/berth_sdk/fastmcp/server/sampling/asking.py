"""One step and whole conversations with the client's model."""

import inspect
import json

from berth_runtime.model import TypeAdapter, ValidationError
from berth_runtime.serving.call_parameters import prune
from berth_sdk.mcp.types import (
    ClientCapabilities,
    CreateMessageRequestParams,
    CreateMessageResult,
    SamplingCapability,
    SamplingMessage,
    SamplingToolsCapability,
    TextContent,
    ToolChoice,
)

from .results import SampleStep, SamplingResult, messages_of, preferences_of
from .tool import SamplingTool, result_block, results_of, tools_of

_MOST_STEPS = 100
_MOST_TOKENS = 512
_FINAL = "final_response"
_FINAL_WORDS = (
    "Call this tool to provide your final response. "
    "Use this when you have completed the task and are ready to return the result."
)
_NO_TOOLS = (
    "Client does not support sampling with tools. "
    "The client must advertise the sampling.tools capability."
)


async def sample_step(context, messages, tools=None, tool_choice=None, **options):
    """Ask once; uses of tools are performed and added to the messages."""
    execute = options.pop("execute_tools", True)
    mask = options.pop("mask_error_details", None)
    history = messages_of(messages)
    tools = tools_of(tools)
    own = _uses_handler(context, bool(tools))
    if tool_choice is not None and tool_choice not in ("auto", "required", "none"):
        raise ValueError(
            f"Invalid tool_choice: {tool_choice!r}. Must be 'auto', 'required', or 'none'."
        )
    asked = {
        "max_tokens": options.get("max_tokens") or _MOST_TOKENS,
        "system_prompt": options.get("system_prompt"),
        "temperature": options.get("temperature"),
        "model_preferences": preferences_of(options.get("model_preferences")),
        "tools": [tool.listed() for tool in tools] if tools else None,
        "tool_choice": ToolChoice(mode=tool_choice) if tool_choice is not None else None,
    }
    if own:
        response = await _by_handler(context, history, asked)
    else:
        response = await context.session.create_message(history, **asked)
    history.append(SamplingMessage(role="assistant", content=response.content))
    step = SampleStep(response, history)
    if step.is_tool_use and execute and step.tool_calls:
        results = await results_of(step.tool_calls, tools, bool(mask))
        history.append(SamplingMessage(role="user", content=results))
    return step


async def sample(context, messages, tools=None, result_type=None, **options):
    """Ask until the model has answered; with `result_type` the answer is of that type."""
    typed = result_type is not None and result_type is not str
    tools, choice, adapter = tools_of(tools), None, None
    if typed:
        adapter = TypeAdapter(result_type)
        tools, choice = [*(tools or ()), _final_tool(adapter)], "required"
    for _ in range(_MOST_STEPS):
        step = await sample_step(context, messages, tools, choice, **options)
        if typed and step.is_tool_use:
            found = _final_result(step, adapter)
            if found is not None:
                return found
        if not step.is_tool_use:
            if typed:
                raise RuntimeError(
                    f"Expected structured output of type {result_type.__name__}, but the LLM "
                    "returned a text response instead of calling the final_response tool."
                )
            return SamplingResult(step.text, step.text or "", step.history)
        messages, choice = step.history, None
    raise RuntimeError(f"Sampling exceeded maximum iterations ({_MOST_STEPS})")


def _uses_handler(context, needs_tools):
    """Return whether the server's own handler is asked instead of the client."""
    session, behaviour = context.session, context.fastmcp.sampling_handler_behavior
    handler = context.fastmcp.sampling_handler
    if behaviour == "always":
        if handler is None:
            raise ValueError("sampling_handler_behavior is 'always' but no handler configured")
        return True
    plain = ClientCapabilities(sampling=SamplingCapability())
    full = ClientCapabilities(sampling=SamplingCapability(tools=SamplingToolsCapability()))
    samples = session.check_client_capability(plain)
    if samples and (not needs_tools or session.check_client_capability(full)):
        return False
    if behaviour == "fallback" and handler is not None:
        return True
    raise ValueError(_NO_TOOLS if samples else "Client does not support sampling")


async def _by_handler(context, messages, asked):
    names = {
        "maxTokens": "max_tokens",
        "systemPrompt": "system_prompt",
        "temperature": "temperature",
        "modelPreferences": "model_preferences",
        "tools": "tools",
        "toolChoice": "tool_choice",
    }
    params = CreateMessageRequestParams(
        messages=messages, **{name: asked[key] for name, key in names.items()}
    )
    made = context.fastmcp.sampling_handler(messages, params, context.request_context)
    made = await made if inspect.isawaitable(made) else made
    if not isinstance(made, str):
        return made
    content = TextContent(type="text", text=made)
    return CreateMessageResult(
        role="assistant", content=content, model="unknown", stopReason="endTurn"
    )


def _is_object(adapter):
    return adapter.json_schema().get("type") == "object"


def _final_tool(adapter):
    """Return the tool by which a model gives an answer of a type."""
    schema = prune(adapter.json_schema())
    if not _is_object(adapter):
        schema = {"type": "object", "properties": {"value": schema}, "required": ["value"]}
    return SamplingTool(_FINAL, schema, lambda **given: given, _FINAL_WORDS)


def _final_result(step, adapter):
    """Return the typed answer among the uses of tools; one that is not valid is refused."""
    for use in step.tool_calls:
        if use.name != _FINAL:
            continue
        given = use.input
        if not _is_object(adapter) and "value" in given:
            given = given["value"]
        try:
            accepted = adapter.validate_python(given)
        except ValidationError as error:
            text = f"Validation error: {error}. Please try again with valid data."
            block = result_block(use.id, text, failed=True)
            step.history.append(SamplingMessage(role="user", content=[block]))
            continue
        text = json.dumps(adapter.dump_python(accepted, mode="json"))
        return SamplingResult(text, accepted, step.history)
    return None
