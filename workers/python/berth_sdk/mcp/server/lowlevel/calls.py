"""Calls of low-level tools: input checked by schema, results in all forms that handlers return."""

import json

from berth_runtime.model.errors import ValidationError
from berth_runtime.serving.content import text_block, wire
from berth_runtime.serving.context import settled
from berth_runtime.serving.errors import (
    INVALID_PARAMS,
    UrlElicitationRequiredError,
    failure,
)
from berth_runtime.serving.results import Unfit, conforming
from berth_runtime.serving.schema_check import fault_of
from berth_runtime.tracebacks import reason_of
from berth_sdk.mcp import types


async def call(handler, tool, name, arguments, validates_input):
    """Return the result of a call; failures of the handler are error results."""
    try:
        if tool is not None and validates_input:
            fault = fault_of(arguments, tool.inputSchema)
            if fault is not None:
                raise Unfit(f"Input validation error: {fault}")
        return wire(_result(await settled(handler(name, arguments)), tool))
    except UrlElicitationRequiredError:
        raise
    except Exception as error:
        return {"content": [wire(text_block(reason_of(error)))], "isError": True}


def _result(result, tool):
    if isinstance(result, types.CallToolResult):
        return result
    structured = None
    if isinstance(result, tuple) and len(result) == 2:
        content, structured = result
    elif isinstance(result, dict):
        content, structured = [text_block(json.dumps(result, indent=2))], result
    elif hasattr(result, "__iter__"):
        content = result
    else:
        raise Unfit(f"Unexpected return type from tool: {type(result).__name__}")
    schema = tool.outputSchema if tool is not None else None
    if schema is not None:
        if structured is None:
            text = "outputSchema defined but no structured output returned"
            raise Unfit(f"Output validation error: {text}")
        conforming(structured, schema)
    return types.CallToolResult(content=list(content), structuredContent=structured, isError=False)


def completion(params):
    """Return the arguments of a completion handler as models; raises McpError."""
    try:
        made = types.CompleteRequestParams.model_validate(params)
    except ValidationError as error:
        raise failure(INVALID_PARAMS, f"Invalid params: {error}") from None
    return made.ref, made.argument, made.context
