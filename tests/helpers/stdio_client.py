"""The official Python client, over standard input and output.

Usage: stdio_client.py COMMAND ENV TOOL ARGUMENTS, where COMMAND is a JSON list of the program and its
arguments, and ENV and ARGUMENTS are JSON objects. Prints the text of the tool's result as JSON.
"""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main() -> None:
    """Call one tool as a desktop client would."""
    command, env, tool, arguments = sys.argv[1:5]
    program, *rest = json.loads(command)
    parameters = StdioServerParameters(command=program, args=rest, env=json.loads(env))
    async with stdio_client(parameters) as (read, write):
        async with ClientSession(read, write) as session:
            await session.initialize()
            result = await session.call_tool(tool, json.loads(arguments))
            print(json.dumps({"text": result.content[0].text}))


asyncio.run(main())
