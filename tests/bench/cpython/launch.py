"""Runs a server's entrypoint on CPython with the real SDK, always over standard input and output.

Usage: launch.py PROJECT ENTRYPOINT

Its server is found as an author starts it: as a module of its package, run as the program; if that
only defines, by the function `main`, or the server object of the module.
"""

import asyncio
import importlib
import inspect
import os
import runpy
import sys


class Served(BaseException):
    """Ends a program whose server has ended."""


def classes():
    """Return the classes of the SDKs that have `run`."""
    names = (
        ("fastmcp", "FastMCP"),
        ("mcp.server.fastmcp", "FastMCP"),
        ("mcp.server.mcpserver", "MCPServer"),
    )
    for module, name in names:
        try:
            yield getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError):
            continue


def over_stdio():
    """Have servers that would listen on a port speak over standard input and output."""
    ran = []
    for kind in classes():

        async def run_async(self, *_arguments, plain=kind.run_stdio_async, **_options):
            ran.append(self)
            quiet = {"show_banner": False} if "show_banner" in inspect.signature(plain).parameters else {}
            await plain(self, **quiet)

        def run(self, *_arguments, **_options):
            asyncio.run(self.run_stdio_async())
            raise Served

        kind.run = run
        for name in ("run_stdio_async", "run_async", "run_http_async", "run_streamable_http_async", "run_sse_async"):
            if hasattr(kind, name):
                setattr(kind, name, run_async)
    return ran


def module_name(project, path):
    """Return the dotted name of a file, and the folder from which it is imported."""
    folder, name = os.path.split(os.path.splitext(path)[0])
    parts = [] if name == "__init__" else [name]
    while folder != project and os.path.exists(os.path.join(folder, "__init__.py")):
        folder, last = os.path.split(folder)
        parts.insert(0, last)
    return ".".join(parts), folder


def main():
    """Run the entrypoint."""
    project, entrypoint = os.path.abspath(sys.argv[1]), sys.argv[2]
    path = os.path.join(project, entrypoint)
    ran = over_stdio()
    name, folder = module_name(project, path)
    sys.path[:0] = list(dict.fromkeys([folder, os.path.dirname(path), project, os.path.join(project, "src")]))
    sys.argv = [path]
    os.chdir(project)
    try:
        found = runpy.run_module(name, run_name="__main__", alter_sys=True)
        if ran:
            return
        started = found.get("main")
        if callable(started):
            made = started()
            if inspect.iscoroutine(made):
                asyncio.run(made)
        if not ran:
            kinds = tuple(classes())
            server = next(each for each in found.values() if isinstance(each, kinds))
            server.run()
    except Served:
        pass


if __name__ == "__main__":
    main()
