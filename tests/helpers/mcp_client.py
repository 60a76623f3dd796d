"""The official Python client with every feature that a server may ask of it.

Usage: mcp_client.py ADDRESS. Prints what it saw as JSON.
"""

import asyncio
import json
import sys

import mcp.types as types
from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client

seen: dict = {"logs": [], "progress": [], "updated": []}


async def sample(_context, params: types.CreateMessageRequestParams) -> types.CreateMessageResult:
    """Answer in place of a model."""
    return types.CreateMessageResult(
        role="assistant",
        content=types.TextContent(type="text", text=f"{len(params.messages)} heard"),
        model="test",
        stopReason="endTurn",
    )


async def elicit(_context, params: types.ElicitRequestParams) -> types.ElicitResult:
    """Fill in a form in place of a person."""
    return types.ElicitResult(action="accept", content={"username": "ada", "email": "ada@example.com"})


async def log(params: types.LoggingMessageNotificationParams) -> None:
    """Keep a log message."""
    seen["logs"].append(params.data)


async def message(notice) -> None:
    """Keep which resources changed."""
    if isinstance(notice, types.ServerNotification) and isinstance(
        notice.root, types.ResourceUpdatedNotification
    ):
        seen["updated"].append(str(notice.root.params.uri))
        updated.set()


async def progress(done: float, total: float | None, _message: str | None) -> None:
    """Keep a step of progress."""
    seen["progress"].append([done, total])


updated = asyncio.Event()


def text_of(result: types.CallToolResult) -> str:
    """The text of a result's first block."""
    return result.content[0].text


async def main(address: str) -> None:
    """Walk through the server."""
    async with (
        streamablehttp_client(address) as (read, write, _),
        ClientSession(
            read,
            write,
            sampling_callback=sample,
            elicitation_callback=elicit,
            logging_callback=log,
            message_handler=message,
        ) as session,
    ):
        started = await session.initialize()
        seen["revision"] = started.protocolVersion
        seen["server"] = started.serverInfo.name
        await session.send_ping()
        await session.set_logging_level("debug")
        seen["tools"] = len((await session.list_tools()).tools)
        seen["sampled"] = text_of(await session.call_tool("test_sampling", {"prompt": "hello"}))
        seen["elicited"] = text_of(await session.call_tool("test_elicitation", {"message": "who?"}))
        await session.call_tool("test_tool_with_logging", {})
        await session.call_tool("test_tool_with_progress", {}, progress_callback=progress)
        seen["failed"] = (await session.call_tool("test_error_handling", {})).isError
        seen["reconnected"] = (await session.call_tool("test_reconnection", {})).isError
        resource = await session.read_resource("test://template/123/data")
        seen["resource"] = json.loads(resource.contents[0].text)["id"]
        await session.subscribe_resource("test://watched-resource")
        await session.call_tool("touch_watched_resource", {})
        await asyncio.wait_for(updated.wait(), 120)
        prompt = await session.get_prompt("test_prompt_with_arguments", {"arg1": "a", "arg2": "b"})
        seen["prompt"] = prompt.messages[0].content.text
        completed = await session.complete(
            types.PromptReference(type="ref/prompt", name="test_prompt_with_arguments"),
            {"name": "arg1", "value": "par"},
        )
        seen["completed"] = completed.completion.values
    print(json.dumps(seen))


asyncio.run(main(sys.argv[1]))
