"""Records what the real SDKs answer to the cases, for `differential_test.ts`.

    python record.py [--out FOLDER] [case ...]

runs with a CPython that has `mcp` 1.29.0 and `fastmcp` 2.14.5 installed (CPython 3.13 or newer, which
treats docstrings as 3.14 does), or `mcp` 2.3.0, for the cases of SDK 2. It writes one file per case
and SDK; answers of a client, where a server asks for them, are those that the case lists.
"""

import argparse
import asyncio
import gzip
import importlib.metadata
import json
import logging
import pathlib
import sys
import types
import warnings

import anyio
from mcp.server.lowlevel.server import NotificationOptions
from mcp.shared.message import SessionMessage

MODERN = int(importlib.metadata.version("mcp").partition(".")[0]) >= 2
if MODERN:
    from mcp_types import jsonrpc_message_adapter as messages

    parsed = messages.validate_python
else:
    from mcp.types import JSONRPCMessage

    parsed = JSONRPCMessage.model_validate

HERE = pathlib.Path(__file__).resolve().parent
CASES = HERE / "cases"
PACKAGES = ("mcp", "fastmcp", "pydantic")
INSTALLED = {item.name: item.version for item in importlib.metadata.distributions()}
LINE = next(f"{name}_{INSTALLED[name].partition('.')[0]}" for name in ("fastmcp", "mcp") if name in INSTALLED)
SDK = "mcp2" if LINE == "mcp_2" else LINE.partition("_")[0]
IMPORTS = {
    "mcp": "from mcp.server.fastmcp import *\nSDK = 'mcp'\n",
    "mcp2": "from mcp.server.mcpserver import *\nFastMCP = MCPServer\nSDK = 'mcp2'\n",
    "fastmcp": "from fastmcp import *\nfrom fastmcp.utilities.types import *\nSDK = 'fastmcp'\n",
}
CLIENT = {
    "protocolVersion": "2025-11-25",
    "capabilities": {
        "roots": {"listChanged": True},
        "sampling": {"tools": {}},
        "elicitation": {"form": {}, "url": {}},
    },
    "clientInfo": {"name": "recorder", "version": "1.0.0"},
}


class Client:
    """Speaks MCP with a server over streams in memory, message by message."""

    def __init__(self, send, receive, answers):
        self.send = send
        self.receive = receive
        self.answers = list(answers)
        self.next_id = 0

    async def post(self, message):
        await self.send.send(SessionMessage(parsed(message)))

    async def request(self, method, params):
        """Send a request; return the answer, what was asked and notified before it."""
        self.next_id += 1
        shape = {"jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params}
        await self.post(shape)
        asked, notified = [], []
        while True:
            received = await self.receive.receive()
            message = received.message.model_dump(by_alias=True, mode="json", exclude_none=True)
            if "method" not in message:
                return message.get("result"), message.get("error"), asked, notified
            if "id" not in message:
                notified.append([message["method"], message.get("params", {})])
                continue
            reply = self.answers.pop(0) if self.answers else {}
            asked.append([message["method"], message.get("params", {}), reply])
            kind = "error" if "code" in reply else "result"
            await self.post({"jsonrpc": "2.0", "id": message["id"], kind: reply})


def load(path, sdk):
    """Run a case's module with the names of an SDK."""
    module = types.ModuleType("case")
    module.__file__ = str(path)
    shim = types.ModuleType("sdk")
    exec(IMPORTS[sdk], shim.__dict__)
    sys.modules["sdk"] = shim
    sys.modules["case"] = module
    source = path.read_text()
    exec(compile(source, str(path), "exec"), module.__dict__)
    return module


async def serve(server, read, write):
    """Serve until the streams are closed."""
    low = getattr(server, "_lowlevel_server", None) or getattr(server, "_mcp_server", server)
    changes = hasattr(server, "_lifespan_manager")
    options = low.create_initialization_options(
        NotificationOptions(tools_changed=changes, resources_changed=changes, prompts_changed=changes)
    )
    if changes:
        async with server._lifespan_manager():
            await low.run(read, write, options)
    else:
        await low.run(read, write, options)


async def exchanges(module):
    """Return every request of a case with what came of it."""
    to_server, server_read = anyio.create_memory_object_stream(1000)
    server_write, from_server = anyio.create_memory_object_stream(1000)
    listed = []
    task = asyncio.ensure_future(serve(module.mcp, server_read, server_write))
    client = Client(to_server, from_server, getattr(module, "ANSWERS", ()))
    result, *_ = await client.request("initialize", CLIENT)
    listed.append({"method": "initialize", "result": result})
    await client.post({"jsonrpc": "2.0", "method": "notifications/initialized"})
    for method, params in module.REQUESTS:
        answering = asyncio.ensure_future(client.request(method, params))
        done, _ = await asyncio.wait(
            {answering, task}, timeout=20, return_when=asyncio.FIRST_COMPLETED
        )
        if answering not in done:
            raise RuntimeError(f"no answer to {method} {params}")
        result, error, asked, notified = answering.result()
        exchange = {"method": method, "params": params}
        exchange |= {"result": result} if error is None else {"error": error}
        exchange |= {"asked": asked} if asked else {}
        exchange |= {"notified": notified} if notified else {}
        listed.append(exchange)
    task.cancel()
    await asyncio.wait({task})
    return listed


def write(path, listed):
    """Write a recording: one exchange a line, so that changes are seen."""
    versions = {name: INSTALLED[name] for name in PACKAGES if name in INSTALLED}
    head = {"sdk": SDK, "python": ".".join(map(str, sys.version_info[:2])), **versions}
    rows = ",\n".join(json.dumps(item, ensure_ascii=False) for item in listed)
    text = f'{{"recorded":{json.dumps(head)},\n"exchanges":[\n{rows}\n]}}\n'
    # CPython 3.14 names the class without its module's underscore.
    text = text.replace("pathlib._local.", "pathlib.")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def cases(wanted):
    """Return the files of the cases of this line, or those that are named."""
    folders = ("both", LINE.partition("_")[0], LINE)
    found = [path for folder in folders for path in sorted((CASES / folder).glob("*.py"))]
    return [path for path in found if not wanted or path.stem in wanted]


def main():
    """Record all cases, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, default=HERE / "recorded")
    parser.add_argument("cases", nargs="*")
    given = parser.parse_args()
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    sys.path.insert(0, str(CASES))
    total = 0
    for path in cases(given.cases):
        name = f"{path.parent.name}_{path.stem}"
        try:
            module = load(path, SDK)
        except Exception as error:
            # A case may use what this line does not have.
            print(f"{LINE} {name}: not recorded: {type(error).__name__}: {error}")
            continue
        listed = asyncio.run(exchanges(module))
        write(given.out / LINE / f"{name}.json.gz", listed)
        total += len(listed)
        print(f"{LINE} {name}: {len(listed)}")
    print(f"{total} exchanges")


if __name__ == "__main__":
    main()
