"""Which version of a package a server's project is written for, as far as it says.

A lock file names it; else what the script or the project requires tells which may be meant.
"""

import operator
import re

from .metadata import read_text, table_of

_LOCKS = ("uv.lock", "poetry.lock")
_TEXTS = ("requirements.txt", "setup.cfg", "setup.py")
_SCRIPT = re.compile(r"^# /// script\s*$(.*?)^# ///\s*$", re.M | re.S)
_CLAUSE = re.compile(r"(===|==|~=|!=|<=|>=|<|>)\s*v?(\d+(?:\.\d+)*(?:\.\*)?)")
_CARET = re.compile(r"([~^])\s*(\d+(?:\.\d+)*)")
_COMPARE = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def required(names, project, source=""):
    """Return what a project requires of a package, which may have several names; None: nothing.

    The clauses are as in a requirement (`>=2,<3`, `^2.1`), empty for any version. `source` is the
    text of the entrypoint, which may have requirements of its own.
    """
    found = [_required(name, project, source) for name in names]
    return next((wanted for wanted in found if wanted is not None), None)


def admits_line(wanted, number, newest):
    """Return whether clauses admit a version with this first number; `newest` is one."""
    named = [version.removesuffix(".*") for _, version in clauses(wanted)]
    # A bound that is excluded itself has versions right above it.
    tried = [newest, f"{number}.0", *named, *(f"{version}.0.1" for version in named)]
    return any(_parts(version)[:1] == (number,) and admits(wanted, version) for version in tried)


def numbers_in(wanted):
    """Return the first numbers of the versions that clauses name."""
    return [_parts(version)[0] for _, version in clauses(wanted)]


def admits(required, version):
    """Return whether a requirement (`>=2,<3`, `^2.1`; empty: any) admits a version."""
    return all(_admits(sign, bound, _parts(version)) for sign, bound in clauses(required))


def clauses(required):
    """Return the clauses of a requirement; Poetry's signs become those of Python's packages."""
    found = _CLAUSE.findall(required)
    for sign, version in _CARET.findall(_CLAUSE.sub("", required)):
        parts = _parts(version)
        # The first number that is not zero is the one that may not change.
        first = next((at for at, part in enumerate(parts) if part), len(parts) - 1)
        at = first if sign == "^" else min(1, len(parts) - 1)
        end = [*parts[:at], parts[at] + 1]
        found += [(">=", version), ("<", ".".join(map(str, end)))]
    return found


def _admits(sign, bound, version):
    wanted = _parts(bound.removesuffix(".*"))
    size = max(len(wanted), len(version))
    padded = version + (0,) * (size - len(version))
    if bound.endswith(".*"):
        same = padded[: len(wanted)] == wanted
    else:
        same = padded == wanted + (0,) * (size - len(wanted))
    if sign == "~=":
        return padded[: len(wanted) - 1] == wanted[:-1] and padded >= wanted
    if sign in _COMPARE:
        return _COMPARE[sign](padded, wanted + (0,) * (size - len(wanted)))
    return not same if sign == "!=" else same


def _parts(version):
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def _required(name, project, source):
    """Return the clauses of a project's requirement, empty for any version; None without one."""
    script = _SCRIPT.search(source)
    if script is not None:
        return _found(name, re.findall(r"""["']([^"']+)["']""", script[1]))
    for lock in _LOCKS:
        entry = rf'^name = "{name}"\s*\nversion = "(\d[^"]*)"'
        pinned = re.search(entry, read_text(project, lock), re.M)
        if pinned is not None:
            return f"=={pinned[1]}"
    table = table_of(project)
    listed = table.get("project", {}).get("dependencies") or []
    found = _found(name, [item for item in listed if isinstance(item, str)])
    if found is not None:
        return found
    poetry = table.get("tool", {}).get("poetry", {}).get("dependencies") or {}
    if name in poetry:
        wanted = poetry[name]
        wanted = wanted.get("version", "") if isinstance(wanted, dict) else wanted
        return f"=={wanted}" if re.match(r"\d", str(wanted)) else str(wanted)
    for path in _TEXTS:
        items = re.split(r"""[\n"']""", read_text(project, path))
        found = _found(name, [item.strip() for item in items])
        if found is not None:
            return found
    return None


def _found(name, requirements):
    """Return the clauses of the first requirement of a package."""
    pattern = re.compile(
        rf"{name}\s*(?:\[[^\]]*\])?\s*(?:\(?\s*([<>=!~][^;#)]*)?\)?)\s*(?:[;#].*)?"
    )
    for item in requirements:
        matched = pattern.fullmatch(item)
        if matched is not None:
            return matched[1] or ""
    return None
