"""Calls of low-level tools: input checked by schema, results in all forms that handlers return."""

from berth_runtime.model.dump import to_json
from berth_runtime.serving.content import text_block, wire
from berth_runtime.serving.context import settled
from berth_runtime.serving.errors import INVALID_PARAMS, McpError, failure
from berth_runtime.serving.results import Unfit, conforming
from berth_runtime.serving.schema_check import fault_of
from mcp import types


async def call(handler, tool, name, arguments, validates_input):
    """Return the result of a call; failures of the handler are error results."""
    try:
        if tool is not None and validates_input:
            fault = fault_of(arguments, tool["inputSchema"])
            if fault is not None:
                raise Unfit(f"Input validation error: {fault}")
        result = await settled(handler(name, arguments))
        return _result(result, tool)
    except McpError:
        raise
    except Exception as error:
        return {"content": [wire(text_block(str(error)))], "isError": True}


def _result(result, tool):
    if isinstance(result, types.CallToolResult):
        return wire(result)
    structured = None
    if isinstance(result, tuple) and len(result) == 2:
        content, structured = result
    elif isinstance(result, dict):
        content, structured = [text_block(to_json(result, indent=2))], result
    else:
        content = list(result)
    schema = tool.get("outputSchema") if tool else None
    if schema is not None:
        if structured is None:
            text = "outputSchema defined but no structured output returned"
            raise Unfit(f"Output validation error: {text}")
        conforming(structured, schema)
    shape = {"content": [wire(block) for block in content], "isError": False}
    return shape if structured is None else {**shape, "structuredContent": structured}


def completion(ref, argument, params):
    """Return the arguments of a completion handler as models; raises McpError."""
    prompt = ref.get("type") == "ref/prompt"
    reference = types.PromptReference if prompt else types.ResourceTemplateReference
    context = params.get("context")
    try:
        return (
            reference.model_validate(ref),
            types.CompletionArgument.model_validate(argument),
            types.CompletionContext.model_validate(context) if context else None,
        )
    except ValueError as error:
        raise failure(INVALID_PARAMS, f"Invalid params: {error}") from None
