"""Tools from tables: one line is one signature, or one return annotation with what is returned."""

import inspect

ABSENT = object()


def lines(text):
    """Return the lines of a table that are neither empty nor comments."""
    stripped = (line.strip() for line in text.splitlines())
    return [line for line in stripped if line and not line.startswith("#")]


def function(name, signature, body, namespace, prefix="def", doc=None):
    """Make a function from the text of its signature and body."""
    documented = f"    {doc!r}\n" if doc is not None else ""
    source = f"{prefix} {name}({signature[0]}){signature[1]}:\n{documented}    {body}\n"
    made = {}
    exec(source, namespace, made)
    made[name].__module__ = namespace["__name__"]
    return made[name]


def parameter_tools(server, text, namespace, start="p"):
    """Register one tool a line: the line is a signature, the tool says what it was given.

    Returns names with the first parameter of each, and the texts of what could not be registered.
    """
    made, refused = [], []
    for number, line in enumerate(lines(text)):
        name = f"{start}{number}"
        try:
            tool = function(name, (line, ""), "return shown(locals())", namespace)
            first = next((k for k in inspect.signature(tool).parameters), None)
            server.tool()(tool)
            made.append((name, first))
        except Exception as error:
            refused.append(f"{line}: {type(error).__name__}: {error}")
    return made, refused


def shown(values):
    """Say what arguments a function was given."""
    return "; ".join(f"{key}={type(value).__name__} {ordered(value)}" for key, value in values.items())


def ordered(value):
    """Return the text of a value; that of a set in an order that is always the same."""
    return sorted(map(repr, value)) if isinstance(value, (set, frozenset)) else repr(value)


def return_tools(server, text, namespace, start="r"):
    """Register one tool a line: `annotation | expression`, or `| expression` without annotation."""
    made, refused = [], []
    for number, line in enumerate(lines(text)):
        annotation, _, expression = line.partition(" => ")
        name = f"{start}{number}"
        arrow = f" -> {annotation.strip()}" if annotation.strip() != "-" else ""
        try:
            server.tool()(function(name, ("", arrow), f"return {expression}", namespace))
            made.append(name)
        except Exception as error:
            refused.append(f"{line}: {type(error).__name__}: {error}")
    return made, refused


def call(name, /, **arguments):
    """Return the request that calls a tool."""
    return ("tools/call", {"name": name, "arguments": arguments})


def calls(made, values):
    """Return requests that give each value to the first parameter of each tool."""
    return [
        call(name, **({} if value is ABSENT or first is None else {first: value}))
        for name, first in made
        for value in values
    ]
