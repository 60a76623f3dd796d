"""Which version of each SDK a server gets.

The publication has chosen, where it resolved the server's packages. Else the session does, in the
same way: by the lock file or the requirement; where these leave it open, by what the code imports;
and where that is in several versions, the newest, which is what an installer takes.
"""

import itertools
import os
import re

from berth_sdk import facade, versions

from .. import state
from ..profile import trusted
from . import requirements
from .metadata import read_text

_SDK_NAMES = ("mcp", "fastmcp")
_TOPS = r"(?:mcp|mcp_types|fastmcp)"
_FROM = re.compile(rf"^\s*from\s+({_TOPS}(?:\.\w+)*)\s+import\s*(\([^)]*\)|[^\n]*)", re.M)
_IMPORT = re.compile(rf"^\s*import\s+({_TOPS}(?:\.\w+)*)", re.M)
_COMMENT = re.compile(r"#[^\n]*")
# Files in which imports are looked for where the entrypoint has none.
_FILES_MOST = 200


def chosen(project, source):
    """Return the version of each SDK for the session's server, by the SDK's name."""
    text = bytes(source).decode("utf-8", "replace")
    told = state.session.sdks_told or {}
    admitted = {}
    for name in _SDK_NAMES:
        lines = versions.lines_of(name)
        known = [
            line
            for line in lines
            if any(told.get(key) == version for key, version in line.distributions.items())
        ]
        admitted[name] = known or _admitted(lines, project, text)
    if all(len(lines) == 1 for lines in admitted.values()):
        return {name: lines[0] for name, lines in admitted.items()}
    return _best(admitted, imported(text))


def _admitted(lines, project, text):
    """Return the versions that a project allows; of those that there are, the nearest."""
    clauses = requirements.required(lines[0].distributions, project, text)
    if clauses is None:
        return lines
    found = [line for line in lines if requirements.admits_line(clauses, line.number, line.version)]
    numbers = requirements.numbers_in(clauses)
    beyond = lines[0].number < max(numbers, default=0)
    return found or (lines[:1] if beyond else lines[-1:])


def imported(text):
    """Return the dotted names of the SDKs that the server's code imports."""
    scanned = state.session.scanned_modules or ()
    found = {name for name in scanned if name.partition(".")[0] in facade.TOPS}
    found |= _imported_by(text)
    if not found:
        for path in _sources(state.session.root):
            found |= _imported_by(read_text(*os.path.split(path)))
    return found


def _imported_by(text):
    found = set(_IMPORT.findall(text))
    for module, names in _FROM.findall(text):
        for name in re.split(r"[,()\s]+", re.sub(r"\s+as\s+\w+", "", _COMMENT.sub("", names))):
            found.add(f"{module}.{name}" if name else module)
    return found


def _sources(root):
    """Return the Python files of a server, not all of a large one."""
    with trusted():
        found = (
            os.path.join(folder, name)
            for folder, _, names in os.walk(root)
            for name in names
            if name.endswith(".py")
        )
        return list(itertools.islice(found, _FILES_MOST))


def _best(admitted, names):
    """Return the versions that have most of what is imported; of several, the newest."""
    uses_fastmcp = any(name.partition(".")[0] == "fastmcp" for name in names)
    best, least = None, None
    for fastmcp in admitted["fastmcp"]:
        for mcp in admitted["mcp"]:
            apart = not requirements.admits(fastmcp.requires.get("mcp", ""), mcp.version)
            lacking = [
                name
                for name in names
                if not (fastmcp if name.partition(".")[0] == "fastmcp" else mcp).has(name)
            ]
            # FastMCP stands on one version of the other: of little weight where it is not used.
            cost = (apart and uses_fastmcp, len(lacking), apart)
            if least is None or cost < least:
                best, least = {"mcp": mcp, "fastmcp": fastmcp}, cost
    return best
