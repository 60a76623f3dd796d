"""Command lines of click and Typer that start a server by one of their commands."""

import inspect
import sys

_NAMES = ("serve", "server", "start", "run", "mcp", "stdio", "start-server", "run-server", "launch")
_LEVELS = 2


def is_command_line(value):
    """Return whether a value is a command of click, or an application of Typer."""
    return _has(value, "main", "callback") or _is_typer(value)


def _is_typer(value):
    return _has(value, "registered_commands", "registered_callback")


def _has(value, *names):
    """Return whether a value has attributes; objects of the program's are not asked themselves."""
    absent = object()
    return all(inspect.getattr_static(value, name, absent) is not absent for name in names)


def _click(value):
    """Return what click runs for a command line; None where there is nothing to run."""
    if not _is_typer(value):
        return value
    main = sys.modules.get("typer.main")
    try:
        return main.get_command(value) if main is not None else None
    except Exception:
        # One without any command.
        return None


def starting(value):
    """Yield functions that run the commands of a command line which may start a server."""
    command = _click(value)
    for words in _paths(command):
        yield lambda words=words: _run(command, words)


def _paths(command, levels=_LEVELS):
    commands = getattr(command, "commands", None)
    if not isinstance(commands, dict) or levels == 0:
        return
    for name in _NAMES:
        inner = commands.get(name)
        if inner is None:
            continue
        deeper = list(_paths(inner, levels - 1))
        yield from [[name, *rest] for rest in deeper] or [[name]]


def _run(command, words):
    before = sys.argv[1:]
    sys.argv[1:] = words
    try:
        command.main(args=words, prog_name=sys.argv[0])
    finally:
        sys.argv[1:] = before
