"""FastMCP's client with the features that a server may ask of it.

Usage: fastmcp_client.py ADDRESS. Prints what it saw as JSON.
"""

import asyncio
import json
import sys

from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport

seen: dict = {"logs": [], "progress": []}


async def log(message) -> None:
    """Keep a log message."""
    seen["logs"].append(message.data)


async def progress(done, total, _message) -> None:
    """Keep a step of progress."""
    seen["progress"].append([done, total])


async def sample(messages, _params, _context) -> str:
    """Answer in place of a model."""
    return f"{len(messages)} heard"


async def elicit(_message, _type, _params, _context) -> dict:
    """Fill in a form in place of a person."""
    return {"username": "ada", "email": "ada@example.com"}


async def main(address: str) -> None:
    """Walk through the server."""
    client = Client(
        StreamableHttpTransport(address),
        log_handler=log,
        progress_handler=progress,
        sampling_handler=sample,
        elicitation_handler=elicit,
        roots=["file:///home/ada"],
    )
    async with client:
        seen["tools"] = len(await client.list_tools())
        for key, tool, arguments in (
            ("sampled", "test_sampling", {"prompt": "hello"}),
            ("elicited", "test_elicitation", {"message": "who?"}),
            ("logged", "test_tool_with_logging", {}),
            ("progressed", "test_tool_with_progress", {}),
        ):
            seen[key] = (await client.call_tool(tool, arguments)).content[0].text
        failed = await client.call_tool("test_error_handling", {}, raise_on_error=False)
        seen["failed"] = failed.is_error
        seen["resource"] = (await client.read_resource("test://static-text"))[0].text
        seen["prompts"] = len(await client.list_prompts())
    print(json.dumps(seen))


asyncio.run(main(sys.argv[1]))
