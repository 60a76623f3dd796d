"""What MCP demands of the messages of a sampling request."""

from .errors import INVALID_PARAMS, failure


def check(capabilities, messages, tools, tool_choice):
    """Refuse a sampling request that the client cannot take; raises McpError or ValueError."""
    sampling = capabilities.sampling if capabilities is not None else None
    uses_tools = tools is not None or tool_choice is not None
    if uses_tools and (sampling is None or sampling.tools is None):
        raise failure(INVALID_PARAMS, "Client does not support sampling tools capability")
    if messages:
        _check_pairs(messages)


def _check_pairs(messages):
    """Every use of a tool has one result, in a message of its own right after it."""
    last = _blocks(messages[-1])
    before = _blocks(messages[-2]) if len(messages) > 1 else None
    results = [block for block in last if block.type == "tool_result"]
    uses = [block for block in before or () if block.type == "tool_use"]
    if results:
        if len(results) < len(last):
            raise ValueError(
                "The last message must contain only tool_result content if any is present"
            )
        if before is None:
            raise ValueError("tool_result requires a previous message containing tool_use")
        if not uses:
            raise ValueError("tool_result blocks do not match any tool_use in the previous message")
    if uses and {block.id for block in uses} != {block.toolUseId for block in results}:
        raise ValueError(
            "ids of tool_result blocks and tool_use blocks from previous message do not match"
        )


def _blocks(message):
    return message.content if isinstance(message.content, list) else [message.content]
