"""Stands in for `pwd`: the sandbox has one user."""

import os
from collections import namedtuple

struct_passwd = namedtuple(
    "struct_passwd", "pw_name pw_passwd pw_uid pw_gid pw_gecos pw_dir pw_shell"
)


def _user():
    name, home = os.environ.get("USER", "user"), os.path.expanduser("~")
    return struct_passwd(name, "x", os.getuid(), os.getgid(), "", home, "/bin/sh")


def getpwall():
    """Return the one user in a list."""
    return [_user()]


def getpwuid(uid):
    """Return the user of a number."""
    if uid != os.getuid():
        raise KeyError(f"getpwuid(): uid not found: {uid}")
    return _user()


def getpwnam(name):
    """Return the user of a name."""
    user = _user()
    if name != user.pw_name:
        raise KeyError(f"getpwnam(): name not found: {name!r}")
    return user
