"""Stands in for `grp`: the sandbox has one group."""

import os
from collections import namedtuple

struct_group = namedtuple("struct_group", "gr_name gr_passwd gr_gid gr_mem")


def _group():
    return struct_group("users", "x", os.getgid(), [])


def getgrall():
    """Return the one group in a list."""
    return [_group()]


def getgrgid(gid):
    """Return the group of a number."""
    if gid != os.getgid():
        raise KeyError(f"getgrgid(): gid not found: {gid}")
    return _group()


def getgrnam(name):
    """Return the group of a name."""
    group = _group()
    if name != group.gr_name:
        raise KeyError(f"getgrnam(): name not found: {name!r}")
    return group
