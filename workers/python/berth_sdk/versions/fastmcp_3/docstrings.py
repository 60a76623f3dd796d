"""What docstrings in the forms of Google, NumPy and Sphinx say of functions and their parameters.

FastMCP leaves this to griffe. Results are the same, also for docstrings that keep to no form.
"""

import functools
import inspect
import re

_PARAMETERS = {"args", "arguments", "params", "parameters"}
_OTHERS = {"other", "keyword", "type"}
_PAIRS = {
    *(f"{kind} {word}" for kind in _OTHERS for word in _PARAMETERS if kind != "keyword"),
    "keyword args", "keyword arguments", "raises", "exceptions", "attributes", "functions",
    "methods", "classes", "type aliases", "modules", "warns", "warnings",
}  # fmt: skip
"""Sections of Google's form whose items are a name, a colon and a text."""
_LISTS = {"returns", "yields", "receives", "examples"}
"""Sections of any text."""
_ASIDES = {
    "attention", "caution", "danger", "error", "example", "hint", "important", "note", "notes",
    "raise", "references", "return", "see-also", "tip", "todo", "warning", "yield",
}  # fmt: skip
"""Headings that end the description though they are no sections."""
_NUMPY = {
    "deprecated", "parameters", "other parameters", "type parameters", "returns", "yields",
    "receives", "raises", "warns", "examples", "attributes", "functions", "methods", "classes",
    "type aliases", "modules",
}  # fmt: skip
_HEADING = re.compile(r"^(\w[\s\w-]*):(?:\s+([^\s].*))?\s*$")
_NUMPY_NAMES = re.compile(r"\*{0,2}[_a-z][_a-z0-9]*(?:, \*{0,2}[_a-z][_a-z0-9]*)*", re.IGNORECASE)
_SPHINX = re.compile(
    r":(?:(?P<param>param(?:eter)?|arg(?:ument)?|key(?:word)?)"
    r"|(?P<result>returns?)|(?P<raised>raises?|except(?:ion)?)|(?P<value>[ic]?var)|v?artype|r?type)"
)


def documented(function, needs_parameters):
    """Return the description of a tool or prompt, or None, and those of its parameters.

    That of an object that is called is its class's; its parameters are those of `__call__`. Without
    parameters, where they are needed, the description is the whole docstring.
    """
    while isinstance(function, functools.partial) and "__doc__" not in vars(function):
        function = function.func
    described, parameters = _parsed(function, needs_parameters)
    if inspect.isroutine(function) or isinstance(function, functools.partial):
        return described, parameters
    inner, parameters = _parsed(function.__call__, needs_parameters)
    return described or inner, parameters


def _parsed(function, needs_parameters):
    text = inspect.getdoc(function)
    if not text:
        return None, {}
    # Once more, as griffe does: a heading in the first line loses what is indented below it.
    lines = inspect.cleandoc(text.rstrip()).split("\n")
    for form in (_google, _numpy, _sphinx):
        found = form(lines)
        if found.parameters or (found.is_structured and not needs_parameters):
            return found.description, found.parameters
    return text, {}


class _Found:
    """What one form makes of a docstring."""

    def __init__(self):
        self.description = None
        self.parameters = {}
        self.is_structured = False
        self._text = []

    def line(self, line):
        """Take a line of plain text."""
        self._text.append(line)

    def end_text(self):
        """Take the lines before a section; the first text is the description."""
        if any(self._text) and self.description is None:
            self.description = "\n".join(self._text).rstrip("\n")
        self._text = []


def _is_empty(line):
    return not line.strip()


def _indent(line):
    return len(line) - len(line.lstrip())


def _first(lines, at):
    """Return where the first line with text is, from `at` on."""
    return next((index for index in range(at, len(lines)) if not _is_empty(lines[index])), None)


def _google(lines):
    found = _Found()
    at = 0
    is_code = False
    while at < len(lines):
        line = lines[at]
        fence = line.lstrip(" ").startswith("```")
        heading = None if is_code or fence else _HEADING.match(line)
        is_code ^= fence
        if heading is None or not _begins_section(lines, at):
            found.line(line)
            at += 1
            continue
        at = _google_section(found, lines, at, heading[1].lower())
    found.end_text()
    return found


def _begins_section(lines, at):
    """Return whether a heading stands after an empty line and before one that is indented."""
    above = at == 0 or _is_empty(lines[at - 1])
    below = lines[at + 1 : at + 3]
    if not above or not below or _is_empty(below[0]):
        return False
    return any(line.startswith(" ") and not _is_empty(line) for line in below)


def _google_section(found, lines, at, name):
    """Take the section whose heading stands at `at`; return where the next line is."""
    block, after = _google_block(lines, at + 1)
    if not block and name not in _PARAMETERS | _PAIRS | _LISTS:
        found.line(lines[at])
        return after
    if name in _PARAMETERS:
        found.end_text()
        for first, *rest in block:
            called, colon, said = first.partition(":")
            if not colon:
                continue
            found.is_structured = True
            if called.endswith(")") and "(" in called:
                called = called.split("(", 1)[0].strip()
            found.parameters[called] = "\n".join([said.lstrip(), *rest]).rstrip("\n")
        return after
    if name in _PAIRS or name in _LISTS:
        found.end_text()
        if (
            name == "examples"
            or block
            and (name in _LISTS or any(":" in item[0] for item in block))
        ):
            found.is_structured = True
        return after
    found.end_text()
    found.is_structured |= name.replace(" ", "-") in _ASIDES
    return after


def _google_block(lines, at):
    """Return the items of a section as lines, without indentation, and where it ends."""
    indent = _indent(lines[at])
    items = []
    if indent == 0:
        return items, at
    while at < len(lines):
        line = lines[at]
        if _is_empty(line):
            items[-1].append("")
        elif _indent(line) < indent:
            break
        elif _indent(line) == indent:
            items.append([line[indent:]])
        else:
            items[-1].append(line[min(_indent(line), indent * 2) :])
        at += 1
    return items, at


def _is_ruled(lines, at):
    """Return whether a line has a line of dashes below it."""
    below = lines[at + 1 : at + 2]
    return bool(below) and "-" in below[0] and _is_empty(below[0].replace("-", ""))


def _numpy(lines):
    found = _Found()
    at = 0
    is_code = False
    while at < len(lines):
        line = lines[at]
        fence = line.lstrip(" ").startswith("```")
        if is_code or fence or _is_empty(line) or not _is_ruled(lines, at):
            found.line(line)
            is_code ^= fence
            at += 1
            continue
        found.end_text()
        name = line.lower()
        if name not in _NUMPY:
            found.is_structured |= name.replace(" ", "-") in _ASIDES
        at = _numpy_section(found, lines, at + 2, name)
    found.end_text()
    return found


def _numpy_section(found, lines, at, name):
    """Take the lines of a section that begins at `at`; return where the next one begins."""
    begin = _first(lines, at)
    if begin is None:
        return len(lines)
    items = []
    at = begin
    while at < len(lines) and not (
        at > begin
        and not lines[at].startswith(" ")
        and not _is_empty(lines[at])
        and _is_ruled(lines, at)
    ):
        line = lines[at]
        if items and (_is_empty(line) or line.startswith(" ")):
            items[-1].append(line[min(_indent(line), 4) :] if not _is_empty(line) else "")
        else:
            items.append([line])
        at += 1
    if name in _NUMPY and name != "parameters":
        found.is_structured = True
    if name == "parameters":
        for first, *rest in items:
            names = _NUMPY_NAMES.match(first)
            for called in names[0].split(", ") if names else []:
                found.parameters[called] = "\n".join(rest).rstrip()
                found.is_structured = True
    return at


def _sphinx(lines):
    found = _Found()
    at = 0
    text = []
    while at < len(lines):
        kind = _SPHINX.match(lines[at])
        if kind is None:
            text.append(lines[at])
            at += 1
            continue
        end = next(
            (index for index in range(at + 1, len(lines)) if lines[index].startswith(":")),
            len(lines),
        )
        whole = inspect.cleandoc("\n".join(lines[at:end])).rstrip("\n")
        _sphinx_field(found, kind, whole)
        at = end
    found.description = "\n".join(text).strip("\n")
    return found


def _sphinx_field(found, kind, whole):
    """Take one field: `:param x: what it is`."""
    _, *parts = whole.split(":", 2)
    if len(parts) < 2:
        return
    words = parts[0].split(" ")
    if kind["param"]:
        if len(words) < 2:
            return
        found.parameters.setdefault(words[-1], parts[1].strip())
        found.is_structured = True
    elif kind["result"] or kind["value"] or (kind["raised"] and len(words) == 2):
        found.is_structured = True
